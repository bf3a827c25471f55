//! Remarks that a reader needs, in both languages of the report.

use crate::Error;
use crate::result::{Group, Note};

fn note(group: Option<Group>, english: impl Into<String>, chinese: impl Into<String>) -> Note {
    Note {
        group,
        english: english.into(),
        chinese: chinese.into(),
    }
}

/// How the software rows were made.
pub(crate) fn masked() -> Note {
    note(
        None,
        "The software rows of SHA-256 and AES-128 come from the same libraries in a second process in which \
         OPENSSL_ia32cap masks the SHA, AES and VAES instructions; they were measured in turns with the others. \
         Carry-less multiplication (for GHASH) stays available to both sides.",
        "SHA-256 与 AES-128 的软件行来自同样的库：另开一个进程，用 OPENSSL_ia32cap 屏蔽 SHA、AES、VAES 指令，\
         并与其他行交替采样。无进位乘法（GHASH 所用）双方都可使用。",
    )
}

/// Why there are no software rows.
pub(crate) fn no_masked_process(error: &Error) -> Note {
    note(
        None,
        format!("There are no software rows of SHA-256 and AES-128: {error}."),
        format!("没有 SHA-256 与 AES-128 的软件行：{error}。"),
    )
}

/// Why there are no software rows on this architecture.
pub(crate) fn cannot_mask() -> Note {
    note(
        None,
        "There are no software rows of SHA-256 and AES-128: on this architecture the libraries' instructions \
         cannot be masked from outside.",
        "没有 SHA-256 与 AES-128 的软件行：在此架构上无法从外部屏蔽库所用的专用指令。",
    )
}

/// Why there are no rows for files.
pub(crate) fn no_files(group: Group, error: &Error) -> Note {
    let source = std::error::Error::source(error)
        .map(|source| format!(": {source}"))
        .unwrap_or_default();
    note(
        Some(group),
        format!("Files were not measured: {error}{source}."),
        format!("未测量文件：{error}{source}。"),
    )
}

/// Why nothing was offered a load.
pub(crate) fn no_load(error: &Error) -> Note {
    note(
        Some(Group::Load),
        format!("The share of a core was not measured: {error}."),
        format!("未测量处理器占用：{error}。"),
    )
}

/// Why the growth of memory is not known.
pub(crate) fn no_growth(error: &Error) -> Note {
    note(
        Some(Group::Load),
        format!("The growth of memory was not measured: {error}."),
        format!("未测量内存增长：{error}。"),
    )
}

/// Why the growth of memory is not known on this system.
pub(crate) fn no_resident_memory() -> Note {
    note(
        Some(Group::Load),
        "The growth of memory was not measured: only Linux tells how much of a process is resident.",
        "未测量内存增长：只有 Linux 给出进程的常驻内存。",
    )
}

/// Which of the implementations of SM4 runs unasked.
pub(crate) fn chosen(backend: &str) -> Note {
    note(
        Some(Group::CipherStage),
        format!(
            "Of its implementations shangmi takes {backend} on this machine; here each was run by its name."
        ),
        format!("本机上 shangmi 默认采用 {backend}；此处按名称逐一运行其各种实现。"),
    )
}

/// Remarks that always hold for a group.
pub(crate) fn of_groups(groups: &[Group], virtualised: bool) -> Vec<Note> {
    let mut notes: Vec<Note> = groups.iter().filter_map(|&group| of_group(group)).collect();
    if cfg!(unix) {
        notes.push(note(
            None,
            "Times are the measuring thread's processor time: what other programs took meanwhile does not count.",
            "时间为测量线程的处理器时间：期间被其他程序占用的时间不计。",
        ));
    }
    if virtualised {
        notes.push(note(
            None,
            "This is a virtual machine: neighbours may disturb the times. Look at the spread before the last digit.",
            "这是虚拟机：邻居可能干扰计时。请先看离散程度，再看末位数字。",
        ));
    }
    notes
}

fn of_group(group: Group) -> Option<Note> {
    let (english, chinese) = match group {
        Group::Hash | Group::HashStage => (
            "Each call hashes one whole message, set-up and padding included, from changing offsets in memory.",
            "每次调用都对一条完整消息求杂凑，含初始化与填充，消息在内存中的偏移不断变化。",
        ),
        Group::HashFile => (
            "The files lie in the page cache: opening, reading or mapping is included, the disk is not.",
            "文件位于页缓存中：计入打开、读取或映射，不计磁盘。",
        ),
        Group::HashMany => (
            "One operation hashes 64 messages of the same length that lie one behind the other in memory; “many lanes” \
             takes them together, “one stream” one after the other.",
            "一次操作对内存中相邻的 64 条等长消息求杂凑；“多通道”同时处理，“单流”逐条处理。",
        ),
        Group::HashTree => (
            "Processor time of the programs, theirs and the system's on their behalf, start included. Each is given as \
             many names at once as xargs gives it, and one thread. The files lie in the page cache. A program is timed \
             only after it gave the digest of every file. What code the other programs run inside cannot be seen.",
            "时间为各程序的处理器时间（含系统代为执行的部分与启动）。每次给出的文件名数量与 xargs 相同，单线程。文件位于\
             页缓存中。程序须先给出每个文件的正确摘要才会计时。其他程序内部运行何种代码无从得知。",
        ),
        Group::CipherMode => (
            "In place, key schedule outside the time. aws-lc's ECB interface takes one block at a time and is not its \
             fastest code; GCM has no associated data.",
            "原地处理，密钥扩展不计时。aws-lc 的 ECB 接口每次处理一个分组，并非其最快代码；GCM 不带附加数据。",
        ),
        Group::CipherStage => (
            "The stages before the library look tables up by secret bytes: they leak through the cache and are here \
             to show what each step brings. AES-128 is libcrypto's: the ECB interface of aws-lc takes one block at a \
             time.",
            "库之前的各阶段按秘密字节查表，会经缓存泄漏，仅用于说明每一步优化的收益。AES-128 取自 libcrypto：aws-lc 的 \
             ECB 接口每次只处理一个分组。",
        ),
        Group::PublicKey | Group::Load | Group::Memory | Group::Mac | Group::Counts => {
            return of_other_group(group);
        }
    };
    Some(note(Some(group), english, chinese))
}

/// Groups that are neither hashes nor ciphers.
fn of_other_group(group: Group) -> Option<Note> {
    let (english, chinese) = match group {
        Group::PublicKey => (
            "Not alike: SM2 hashes Z_A with the message (here kept from call to call by shangmi, computed each time \
             by libcrypto); RSA-2048 has 112 bits of strength, the others 128; P-256 has no encryption of its own \
             and stands with ECDH, HKDF and AES-GCM in its place; keys of RSA for encryption and signing are of the \
             same size. SHA-256 inside signatures runs on the processor's instructions where there are some. A new key of \
             SM2 is one whose Z_A is known and nothing else; a prepared one has its table. RSA's and P-256's are parsed \
             beforehand.",
            "不完全对等之处：SM2 将 Z_A 与消息一同杂凑（shangmi 缓存 Z_A，libcrypto 每次计算）；RSA-2048 强度为 \
             112 位，其余为 128 位；P-256 本身没有加密，以 ECDH、HKDF 与 AES-GCM 组合代替；RSA 加密与签名密钥等长。\
             签名内的 SHA-256 在有专用指令时使用专用指令。SM2 的新公钥指仅已知 Z_A，预备公钥另有自己的表；RSA 与 P-256 的公钥已事先解析。",
        ),
        Group::Load => (
            "Requests come in at an even rate and are served by one thread in bursts 10 ms apart; its processor time over \
             the time in which they came in is the share. Memory is looked at in a process of its own for each operation, first \
             after 256 operations, and all at once: that the machine is busy does not bear on it. SM2 is shangmi's, the \
             others are AWS-LC's.",
            "请求按均匀速率到达，由一个线程每 10 毫秒集中处理一次；其处理器时间与这些请求到达所用时间之比即为占用。内存增长在各操作自己的\
             进程中测量，先做 256 次操作再开始计，各进程同时运行：机器繁忙与否不影响结果。SM2 取自 shangmi，其余取自 \
             AWS-LC。",
        ),
        Group::Memory => (
            "Stack high-water: a thread paints its stack, runs the operation once and looks how far the paint is gone. \
             Memory that a library allocates is not in it.",
            "栈高水位：线程先填充自己的栈，运行一次操作，再看填充被改写到多深。库自行分配的堆内存不计。",
        ),
        _ => return None,
    };
    Some(note(Some(group), english, chinese))
}
