//! The sentences and labels of the report. `{name}` is a place that [`Text::with`] fills.

use super::Text;

macro_rules! phrases {
    ($($name:ident: $english:literal, $chinese:literal;)*) => {
        $(pub(crate) const $name: Text = Text::pair($english, $chinese);)*

        /// Every phrase, for the tests.
        #[cfg(test)]
        pub(crate) const ALL: &[(&str, Text)] = &[$((stringify!($name), $name)),*];
    };
}

// The page.
phrases! {
TITLE: "SM2, SM3 and SM4 against RSA, P-256, SHA-256 and AES", "SM2、SM3、SM4 与 RSA、P-256、SHA-256、AES 对比";
SUBTITLE: "Measured on {cpu}, {when}, shangmi {version}, {profile} profile, {seconds} s.", "测量环境：{cpu}；{when}；shangmi {version}；{profile}档，用时 {seconds} 秒。";
UNKNOWN_CPU: "an unnamed processor", "未标明型号的处理器";
SKIP: "Skip to the content", "跳到正文";
CONTENTS: "Contents", "目录";
OTHER_LANGUAGE: "中文", "English";
THEME: "Light / dark", "浅色／深色";
FOOTER: "Everything on this page is computed from results.json, which lies beside it. Figures hold for this machine and these versions.", "本页所有内容均由同目录下的 results.json 计算得出，数字仅对本机和所列版本有效。";
MIND: "Mind:", "注意：";
REMARKS: "Remarks", "说明";
SPACE: " ", "";

// Numbers and names.
VALUE_UNIT: "{value} {unit}", "{value} {unit}";
VALUE_MARK: "{value} · {mark}", "{value} · {mark}";
POINT: "{name}, {length}: {value} {unit}", "{name}，{length}：{value} {unit}";
BAR: "{name}: {value}", "{name}：{value}";
LOGARITHMIC: "{unit} (logarithmic)", "{unit}（对数刻度）";
MESSAGE_LENGTH_LOGARITHMIC: "message length (logarithmic)", "消息长度（对数刻度）";
CYCLES_PER_BYTE: "cycles/byte", "周期/字节";
OPERATIONS_PER_SECOND: "ops/s", "次/秒";
MESSAGES_PER_SECOND: "messages/s", "条/秒";
SUBJECT_SPREAD: "{subject} · {low}–{high}", "{subject} · {low}–{high}";
NAME_SOFTWARE: "{what} · {subject}", "{what} · {subject}";
NAME_HARDWARE: "{what} · {subject}, hardware", "{what} · {subject}，硬件指令";
ALGORITHM_VARIANT: "{algorithm} {variant}", "{algorithm} {variant}";
PANEL_AT: "{what}, {length}", "{what}，{length}";
WITH_THREADS: "{what}, {threads} threads", "{what}，{threads} 线程";
TIMES_SLOWER: "{times}× slower", "慢 {times}×";
TIMES_FASTER: "{times}× faster", "快 {times}×";
TIMES: "{times}×", "{times}×";
ON_A_PAR: "even ({times}×)", "持平（{times}×）";
ON_A_PAR_SHORT: "even", "持平";
YES: "yes", "是";
NO: "no", "否";

// Heads of columns.
LENGTH: "Length", "长度";
OPERATION: "Operation", "操作";
ALGORITHM: "Algorithm", "算法";
LIBRARY: "Library", "实现库";
VERSION: "Version", "版本";
STATUS: "Status", "状态";
REMARK: "Remark", "备注";
BACKEND: "Code path", "代码路径";
EXECUTION: "Instructions", "指令类型";
CONSTANT_TIME: "Constant time", "恒定时间";
STRENGTH: "Strength, bits", "强度（比特）";
PART: "Part", "部分";
REASON: "Reason", "原因";
STAGE: "Stage", "阶段";
THREADS: "Threads", "线程";
MEDIAN: "Median", "中位数";
RANGE: "p10 – p90", "p10 – p90";
ONE_TIME: "One-time cost", "一次性开销";
RATIO: "SM ÷ international", "国密 ÷ 国际";
INTERNATIONAL: "International, beside it", "对应的国际算法";
BYTES: "Bytes", "字节";
UNIT: "Unit", "单位";
OURS: "{name}, ours", "{name}（本库）";
OTHERS: "{name}, other library", "{name}（其他库）";
OURS_SOFTWARE: "{name}, ours, software", "{name}（本库，软件）";
OTHERS_SOFTWARE: "{name}, other library, software", "{name}（其他库，软件）";
IN_SOFTWARE: "{name}, software", "{name}（软件）";
IN_HARDWARE: "{name}, hardware", "{name}（硬件指令）";
RATIO_SOFTWARE: "SM is, software to software", "国密相对表现（软件对软件）";
RATIO_BEST: "SM is, each at its best", "国密相对表现（各取最快）";
SM2_AGAINST: "SM2 against {name} is", "SM2 相对 {name}";
SM_OVER: "SM ÷ {name}", "国密 ÷ {name}";

// The verdict.
VERDICT: "The verdict", "结论";
VERDICT_INTRO: "Ratios of median run times on this machine, one thread. “2× slower” takes twice as long, “2× faster” half as long; a difference below 5 % counts as even.", "以下为本机单线程中位耗时之比。“慢 2×”指耗时为两倍，“快 2×”指耗时为一半；差距小于 5% 视为持平。";
NO_VERDICT: "This run holds no pair of rows that could be set against each other. Run the suite without --only to get a verdict.", "本次运行没有可以相互比较的结果。请不带 --only 重新运行以得到结论。";
SM_LOSES: "SM is slower at", "国密较慢";
SM_WINS: "SM is faster at", "国密较快";
SM_EVEN: "Even", "持平";
AGAINST: "{sm} against {other}", "{sm} 与 {other}";
OPERATION_OF: "{operation}: {pair}", "{operation}：{pair}";
TITLE_SOFTWARE: "{title} (software)", "{title}（软件）";
TITLE_HARDWARE: "{title} (hardware)", "{title}（硬件）";
TITLE_BEST: "{title} (each at its best)", "{title}（各取最快）";
CONDITION_SOFTWARE: "Software against software, {length}", "软件对软件，{length}";
CONDITION_HARDWARE: "Hardware against hardware, {length}", "硬件对硬件，{length}";
CONDITION_BEST: "Each at its best on this machine, {length}", "各取本机最快，{length}";
CONDITION_MESSAGE: "Message of {length}, one core", "消息 {length}，单核";
SENTENCE_LOSES: "{sm} takes {times} times as long as {other}.", "{sm} 的耗时是 {other} 的 {times} 倍。";
SENTENCE_WINS: "{sm} does {times} times as much in the same time as {other}.", "同样时间内，{sm} 完成的工作量是 {other} 的 {times} 倍。";
SENTENCE_EVEN: "{sm} takes as long as {other}, within 5 % ({times} times).", "{sm} 与 {other} 耗时相差不到 5%（{times} 倍）。";
OVER_LENGTHS: "Over all lengths from {shortest} to {longest}: {least} to {greatest}.", "从 {shortest} 到 {longest} 各长度：{least} 至 {greatest}。";
NOT_ALIKE: "What is not alike", "不对等之处";
UNLIKE_HARDWARE: "{other} runs on instructions made for it; this processor has none for {sm} that were used.", "{other} 使用处理器的专用指令；{sm} 在本机没有用到专用指令。";
UNLIKE_HARDWARE_SM: "{sm} runs on instructions made for it; {other} here does not.", "{sm} 使用处理器的专用指令，{other} 在此没有使用。";
UNLIKE_STRENGTH: "Strength: {sm} claims {a} bits, {other} {b}.", "强度不同：{sm} 为 {a} 比特，{other} 为 {b} 比特。";
UNLIKE_ZA: "SM2 hashes Z_A (identity, curve and public key) before the message; the others hash the message alone.", "SM2 在消息之前还要杂凑 Z_A（用户标识、曲线参数与公钥），其他算法只杂凑消息。";
UNLIKE_RSA_EXPONENT: "RSA verifies with the small public exponent 65537, which is why it is fast at this and slow at signing.", "RSA 验签使用很小的公开指数 65537，因此验签快而签名慢。";
UNLIKE_CODE: "Code that ran: {a}; {b}.", "实际运行的代码：{a}；{b}。";
CODE_PATH: "{subject} ({backend})", "{subject}（{backend}）";
TITLE_MANY: "{sm}, many messages, against {other}", "{sm}（多消息）与 {other}";
TITLE_TREE: "{sm}, small files, against {other}", "{sm}（小文件）与 {other}";
CONDITION_TREE: "{count} small files, one thread, whole programs", "{count} 个小文件，单线程，整个程序";
CONDITION_MANY: "{length}, side by side against one after the other", "{length}，并排处理对逐条处理";
SM3_AHEAD: "Where SM3 beats SHA-256 on this machine: {list}.", "本机上 SM3 优于 SHA-256 之处：{list}。";
SM3_NEVER_AHEAD: "SM3 beats SHA-256 in none of the cases measured on this machine.", "本机所测各项中，SM3 均未优于 SHA-256。";
SM3_BEHIND: "Where it does not: {list}.", "SHA-256 领先之处：{list}。";
SM3_NEVER_BEHIND: "SHA-256 is ahead in none of them.", "各项中 SHA-256 均未领先。";
SM3_EVEN: "Even: {list}.", "持平：{list}。";
CASE: "{case}, {length}: {ratio}", "{case}（{length}）：{ratio}";
FROM_TO: "{from} to {to}", "{from} 至 {to}";
FROM_TO_MEAN: "{from} to {to}, in the mean {mean}", "{from} 至 {to}，平均 {mean}";
COUNT_FILES: "{count} files", "{count} 个文件";
CASE_LANES_HARDWARE: "many messages in lanes against SHA instructions", "多消息多通道对 SHA 指令";
CASE_LANES_SOFTWARE: "many messages in lanes against software", "多消息多通道对软件";
CASE_STREAM_HARDWARE: "one stream against SHA instructions", "单流对 SHA 指令";
CASE_STREAM_SOFTWARE: "one stream, software against software", "单流，软件对软件";
CASE_TREE: "small files, {sm} against {other}", "小文件，{sm} 对 {other}";
SEMICOLON: "; ", "；";
VERIFY_HEAVY: "Verify-heavy RSA-2048 users {list}.", "以验签为主的 RSA-2048 用户改用 SM2：{list}。";
LOSE: "lose {times}× ({way})", "慢 {times}×（{way}）";
GAIN_BY: "gain {times}× ({way})", "快 {times}×（{way}）";
STAY_EVEN: "stay even at {times}× ({way})", "持平，{times}×（{way}）";
SM2_AHEAD: "Where SM2 wins, one at a time: {list}.", "逐个操作时 SM2 领先之处：{list}。";
SM2_BEHIND: "Where it does not: {list}.", "落后之处：{list}。";
SM2_EVEN: "Even: {list}.", "持平：{list}。";
AGAINST_LIST: "against {name}: {list}", "对 {name}：{list}";
OPERATION_RATIO: "{operation} {ratio}", "{operation}{ratio}";
COMMA: ", ", "，";
ADVICE: "What follows for the choice between SM2 and RSA-2048", "在 SM2 与 RSA-2048 之间如何选择";
ADVICE_SIGN: "Mostly signing or making keys: SM2 takes the load off, with {times} times the signatures of RSA-2048 in the same time.", "以签名或生成密钥为主：SM2 负担更轻，同样时间内签名次数是 RSA-2048 的 {times} 倍。";
ADVICE_SIGN_COSTS: "Mostly signing: a signature of SM2 takes {times} times as long as one of RSA-2048 here.", "以签名为主：本机上 SM2 签名的耗时是 RSA-2048 的 {times} 倍。";
ADVICE_PREPARE: "Verifying under the same few keys again and again: keep a PreparedVerifier of each (16 KiB), which verifies {times} times as many as a Verifier.", "反复用少数公钥验签：为每个公钥保留一个 PreparedVerifier（16 KiB），验签次数是 Verifier 的 {times} 倍。";
ADVICE_PREPARE_PAYS: "Making it pays from signature {count} on.", "从第 {count} 个签名起即可收回预备的开销。";
ADVICE_MANY: "Many signatures at hand under different keys: verify_many verifies {times} times as many in the same time as a Verifier.", "手上有多个签名，公钥各不相同：verify_many 在同样时间内的验签次数是 Verifier 的 {times} 倍。";
ADVICE_MANY_ONE_KEY: "Many at hand under one key: next to each other, verify_many verifies {times} times as many as a Verifier.", "手上有同一公钥的多个签名：排在一起时，verify_many 的验签次数是 Verifier 的 {times} 倍。";
ADVICE_VERIFY: "Mostly verifying: at its best ({way}) SM2 costs no more than RSA-2048.", "以验签为主：最佳方式（{way}）下 SM2 的开销不高于 RSA-2048。";
ADVICE_VERIFY_COSTS: "Mostly verifying: even at its best ({way}) SM2 needs {times} times the processor time of RSA-2048; plan for it.", "以验签为主：即使采用最佳方式（{way}），SM2 所需处理器时间仍是 RSA-2048 的 {times} 倍，请预留余量。";
FASTER_ELSEWHERE: "{subject} has a faster {algorithm} than ours here, by {times} times.", "本机上 {subject} 的 {algorithm} 比本库快，为本库的 {times} 倍。";
WARN_DEBUG: "this binary was built without optimisation; its numbers say nothing. Build with --release.", "本程序未经优化编译，数字没有意义。请使用 --release 编译。";
WARN_SMOKE: "the smoke profile takes a few samples only, to show that everything runs; do not quote its numbers.", "smoke 档只取极少样本，仅用于确认程序可运行，请勿引用其数字。";
WARN_NOISY: "the machine was busy. In {wide} of {all} rows the middle four fifths of the samples lie more than 10 % from the median; run it again on a quiet machine before you decide by small differences.", "测量时机器负载较高：{all} 行中有 {wide} 行的 p10–p90 偏离中位数超过 10%。若要依据细小差别作决定，请在空闲机器上重新运行。";

COMPARED: "Compared", "比较项";
CONDITIONS: "Conditions", "条件";
SM: "SM", "国密";
OTHER_SIDE: "International", "国际";
SM_IS: "SM is", "国密";

// The machine.
MACHINE: "Machine, libraries, code paths", "机器、实现库与代码路径";
CPU: "Processor", "处理器";
ARCHITECTURE: "Architecture", "架构";
CORES: "Logical processors", "逻辑处理器";
MEMORY_OF_MACHINE: "Memory", "内存";
SYSTEM: "System", "操作系统";
VIRTUALISED: "Virtual machine", "虚拟机";
CPU_FEATURES: "Instruction sets that matter here", "相关指令集";
GOVERNOR: "Frequency governor", "调频策略";
COMPILER: "Compiler and build", "编译器与构建方式";
CLOCK: "Core clock", "核心频率";
CLOCK_MEASURED: "{gigahertz} GHz ({method})", "{gigahertz} GHz（{method}）";
CLOCK_UNKNOWN: "could not be measured, so there are no cycles per byte", "无法测得，因此没有“周期/字节”";
LIBRARIES_CAPTION: "Libraries that took part, and those that were looked for", "参与测试的库，以及查找过的库";
USED: "used", "已使用";
ABSENT: "not found", "未找到";
CODE_PATHS_CAPTION: "What code really ran, as told by the object that ran", "实际运行的代码（由运行的对象自报）";
NONE_REFUSED: "Every subject passed its known answer before it was timed; none was refused.", "所有被测对象在计时前都通过了已知答案检验，没有被拒绝者。";
SOME_REFUSED: "some subjects gave a wrong answer and were not timed.", "有被测对象结果错误，未予计时。";
REFUSED_CAPTION: "Refused: failed the known answer", "拒绝计时：未通过已知答案检验";

// Hashes.
HASH: "Hashes by message length", "杂凑：按消息长度";
HASH_INTRO: "One digest of one message, one thread. Both functions take blocks of 64 bytes and give 32 bytes. Short messages pay for padding and finishing; from a few KiB on, the compression function is all that counts. “Software” for SHA-256 is an optimised library with its SHA instructions masked.", "单线程计算一条消息的摘要。两者的分组均为 64 字节，摘要均为 32 字节。短消息主要花费在填充与收尾上；达到数 KiB 后只取决于压缩函数。SHA-256 的“软件”指屏蔽 SHA 指令后的优化库。";
HASH_SPEED_TITLE: "Speed by message length (more is better)", "不同消息长度的速度（越高越好）";
HASH_SPEED_DESCRIPTION: "Lines of megabytes a second over message length, a line for each library and kind of instructions. The table below has the same numbers.", "各实现库、各指令类型的吞吐率（MB/s）随消息长度变化的折线，数值见下表。";
HASH_TABLE_CAPTION: "SM3 and SHA-256, MB/s: median, and below it the library with p10–p90", "SM3 与 SHA-256，单位 MB/s：中位数，其下为实现库与 p10–p90";
HASH_CYCLES_TITLE: "Core cycles for each byte (less is better)", "每字节所需核心周期（越低越好）";
HASH_CYCLES_DESCRIPTION: "Lines of core cycles per byte over message length, a line for each library and kind of instructions.", "各实现库、各指令类型的每字节周期数随消息长度变化的折线。";
HASH_CYCLES_CAPTION: "SM3 and SHA-256, cycles/byte", "SM3 与 SHA-256，周期/字节";
NO_CYCLES: "Cycles per byte are missing: the core clock could not be measured on this machine.", "无法测得本机核心频率，因此没有“周期/字节”。";
MANY: "Many independent messages", "多条独立消息";
MANY_INTRO: "The same hashes over {count} messages of one length. Many messages can be hashed side by side, one in each lane of a vector register, which the SHA instructions cannot: they take one message after the other.", "对 {count} 条等长消息求同样的杂凑。多条消息可以并排处理，各占向量寄存器的一个通道；SHA 指令做不到这一点，只能逐条处理。";
MANY_TITLE: "Speed over many messages by their length (more is better)", "多消息速度随消息长度变化（越高越好）";
MANY_DESCRIPTION: "Lines of megabytes a second over the length of each message, for SM3 in many lanes and for SM3 and SHA-256 one message after the other. The table below has the same numbers.", "SM3 多通道、SM3 与 SHA-256 逐条处理的吞吐率（MB/s）随每条消息长度变化的折线，数值见下表。";
MANY_CAPTION: "Many messages, MB/s: median, and below it the library with p10–p90", "多条消息，单位 MB/s：中位数，其下为实现库与 p10–p90";
MANY_MESSAGES_CAPTION: "The same in messages a second", "同上，以每秒消息数表示";
MANY_LANES_OURS: "SM3, many lanes, ours", "SM3 多通道（本库）";
ONE_STREAM_OURS: "SM3, one stream, ours", "SM3 单流（本库）";
ONE_STREAM_OTHERS: "SM3, one stream, other library", "SM3 单流（其他库）";
LANES_AGAINST_HARDWARE: "Many lanes are, against SHA-256 in hardware", "多通道相对 SHA-256（硬件指令）";
LANES_AGAINST_SOFTWARE: "Many lanes are, against SHA-256 in software", "多通道相对 SHA-256（软件）";
TREE: "A tree of small files", "大量小文件";
TREE_INTRO: "{count} files of 1 to 4 KiB each, hashed by programs as users run them, with one thread.", "{count} 个 1 至 4 KiB 的文件，由各程序按用户通常的方式以单线程计算。";
TREE_CAPTION: "Small files, one thread, processor time of the program: median", "小文件，单线程，程序的处理器时间：中位数";
PROGRAM: "Program", "程序";
FILES_PER_SECOND: "files/s", "文件/秒";
TIME_OF_ALL: "All files", "全部文件";
AGAINST_CKSUM: "Against cksum -a sm3", "相对 cksum -a sm3";
LEFT_OUT: "left out: {reason}", "略过：{reason}";
FILES: "Hashing files", "文件杂凑";
FILE_INTRO: "The same hashes over files that lie in the page cache, so the disk plays no part: read in pieces, and mapped into memory.", "对已在页缓存中的文件计算摘要（不受磁盘影响）：分块读取与内存映射两种方式。";
FILE_CAPTION: "Files, MB/s: median, and below it the library with p10–p90", "文件，单位 MB/s：中位数，其下为实现库与 p10–p90";
STAGES: "Stages of the hashes, and what optimising gains", "杂凑的优化阶段与收益";
STAGE_INTRO: "The same function written ever less plainly: from the form of the standard to the library.", "同一函数由标准文本的写法逐步优化到库实现。";
STAGE_TITLE: "Stages (more is better; one scale)", "各阶段速度（越高越好；同一刻度）";
STAGE_DESCRIPTION: "Bars of megabytes a second for each stage of each hash, from the textbook form to the library.", "各杂凑函数从教科书写法到库实现，各阶段吞吐率的条形图。";
GAIN_INTRO: "By how much the optimised software is faster than the plain implementation of the same hash, by length.", "按长度给出优化后的软件比同一函数的朴素实现快多少。";
GAIN_TITLE: "Gain of optimised over plain code (more is a greater gain)", "优化代码相对朴素代码的收益（越高收益越大）";
GAIN_DESCRIPTION: "Lines of how many times as fast the optimised code is as the plain code, over message length, for SM3 and SHA-256.", "SM3 与 SHA-256 的优化代码相对朴素代码的加速倍数随消息长度变化的折线。";
TIMES_PLAIN: "× the plain code", "× 朴素代码";
PLAIN: "{name}, plain, MB/s", "{name} 朴素，MB/s";
OPTIMISED: "{name}, optimised, MB/s", "{name} 优化，MB/s";
GAIN: "{name}, gain", "{name} 收益";
GAIN_CAPTION: "Optimised software over the plain implementation, by length", "优化软件相对朴素实现的收益（按长度）";
MACS: "Message authentication: HMAC and CMAC", "消息认证：HMAC 与 CMAC";
HMAC_INTRO: "Authenticating short messages, as an interface or a token does: with the key's state kept between calls, with a new key each time (two more compressions), and for many messages under one key.", "对短消息做认证（如接口签名、令牌）：一种在调用间保留密钥状态，另一种每次使用新密钥（多两次压缩）；还有同一密钥下的多条消息。";
HMAC_LATENCY_CAPTION: "HMAC with SM3 and with SHA-256, time of one operation", "HMAC-SM3 与 HMAC-SHA256，单次耗时";
HMAC_OPERATIONS_CAPTION: "HMAC with SM3 and with SHA-256, messages a second on one core", "HMAC-SM3 与 HMAC-SHA256，单核每秒消息数";
CMAC_INTRO: "CMAC goes block by block: only many messages can go side by side.", "CMAC 只能逐块进行，只有多条消息才能并排处理。";
CMAC_LATENCY_CAPTION: "CMAC with SM4 and with AES-128, time of one operation", "CMAC-SM4 与 CMAC-AES-128，单次耗时";
CMAC_OPERATIONS_CAPTION: "CMAC with SM4 and with AES-128, messages a second on one core", "CMAC-SM4 与 CMAC-AES-128，单核每秒消息数";

// Ciphers.
CIPHER_STAGES: "Stages of SM4", "SM4 的优化阶段";
CIPHER_STAGE_INTRO: "Table look-ups by secret bytes are fast to write and fast to run, but the cache tells others which bytes they were: those stages are shown for comparison only. The marked ones run in constant time. Ours go from plain Rust through the instructions for AES and GFNI to the widest vectors.", "按秘密字节查表的写法简单且快，但缓存会泄露查了哪些表项，这些阶段仅供比较。标有“恒定时间”者不存在该问题。本库的实现依次为纯 Rust、AES 指令、GFNI，直至最宽的向量。";
CIPHER_STAGE_TITLE: "Stages of SM4, and AES-128 (more is better)", "SM4 各阶段与 AES-128 的速度（越高越好）";
CIPHER_STAGE_DESCRIPTION: "Bars of megabytes a second for each stage of SM4 and for AES-128, with and without its instructions, each marked as constant-time or as leaking through table look-ups.", "SM4 各阶段与 AES-128（使用与不使用专用指令）吞吐率的条形图，并标明是否恒定时间。";
CIPHER_STAGE_CAPTION: "Stages of SM4 by length, with AES-128 beside them, MB/s", "SM4 各阶段与 AES-128（按长度），单位 MB/s";
OURS_AGAINST_IT: "Our fastest is, at {length}", "本库最快者的相对表现（{length}）";
MARK_CONSTANT_TIME: "✓ constant time", "✓ 恒定时间";
MARK_LEAKS: "✗ leaks", "✗ 会泄露";
MODES: "Modes: SM4 against AES-128", "工作模式：SM4 与 AES-128";
MODE_INTRO: "Both take keys and blocks of 128 bits. CBC encryption goes block by block and cannot use parallel code, unless there are many messages; ECB, CTR, XTS, GCM and CBC decryption can. XTS is IEEE 1619's. AES has instructions of its own on most processors (AES-NI), SM4 on very few.", "两者的密钥与分组均为 128 比特。CBC 加密只能逐块进行，除非有多条消息，否则无法并行；ECB、CTR、XTS、GCM 与 CBC 解密可以并行。XTS 为 IEEE 1619 形式。多数处理器有 AES 专用指令（AES-NI），有 SM4 专用指令的极少。";
MODE_TITLE: "Modes at the longest buffer (more is better)", "最长缓冲区下各模式速度（越高越好）";
MODE_DESCRIPTION: "Bars of megabytes a second, a panel for each mode, a bar for each library and kind of instructions.", "每个模式一组条形，给出各实现库与指令类型的吞吐率。";
GCM_TITLE: "GCM encryption by length (more is better)", "GCM 加密速度随长度变化（越高越好）";
GCM_DESCRIPTION: "Lines of megabytes a second of GCM encryption over buffer length, for SM4 and AES-128.", "SM4 与 AES-128 的 GCM 加密吞吐率随缓冲区长度变化的折线。";
MODE_CAPTION: "SM4 and AES-128, MB/s: median, and below it the library with p10–p90", "SM4 与 AES-128，单位 MB/s：中位数，其下为实现库与 p10–p90";

// Public keys.
PUBLIC_KEY: "SM2 against RSA and P-256", "SM2 与 RSA、P-256";
PUBLIC_KEY_INTRO: "SM2 and P-256 are curves of the same size and strength (128 bits); RSA-2048 claims 112 bits, RSA-3072 128. RSA signs with PSS and encrypts with OAEP, both with SHA-256. P-256 has no encryption scheme that everyone uses: an ephemeral key agreement with AES-GCM stands in its row.", "SM2 与 P-256 曲线规模与强度相同（128 比特）；RSA-2048 强度为 112 比特，RSA-3072 为 128 比特。RSA 签名用 PSS，加密用 OAEP，均配 SHA-256。P-256 没有通行的加密方案，该行以临时密钥协商加 AES-GCM 代替。";
PUBLIC_KEY_CAPTION: "Operations a second on one core: median, and below it the library with p10–p90", "单核每秒次数：中位数，其下为实现库与 p10–p90";
PUBLIC_KEY_TITLE: "Operations a second (more is better; each panel has its own scale)", "每秒次数（越高越好；各组刻度不同）";
PUBLIC_KEY_DESCRIPTION: "Bars of operations a second, a panel for each operation and message length, a bar for each algorithm and library.", "每种操作与消息长度一组条形，给出各算法与实现库的每秒次数。";
WAYS_INTRO: "SM2 can also be done many at once, each with its own answer: eight side by side in vectors where the processor has AVX-512 IFMA, with shared inversions elsewhere. Who verifies under a known key can keep a table of it (16 KiB), made once; for many signatures under one key such a table is made on the way. RSA-2048 and P-256 stand beside them one at a time: the libraries measured here have no other way.", "SM2 也可批量进行，每项各有结果：有 AVX-512 IFMA 的处理器用向量并排处理八个，其他处理器共用求逆。公钥已知时，可预先为其建表（16 KiB，只建一次）再验签；同一公钥的多个签名则在验签途中建表。RSA-2048 与 P-256 为逐个操作：此处所测的库没有其他方式。";
WAYS_CAPTION: "SM2 one at a time, with a prepared key, and many at once, one core; messages of 32 bytes", "SM2 逐个、预备公钥与批量，单核；消息 32 字节";
WAY: "Way", "方式";
TIME_OF_ONE: "Time of one", "单次耗时";
ONE_AT_A_TIME: "one at a time", "逐个";
NEW_KEY: "with a new key", "新公钥";
PREPARED_KEY: "with a prepared key", "预备公钥";
MANY_AT_ONCE: "{count} at once", "{count} 个同时";
MANY_UNDER_ONE_KEY: "{count} at once, one key", "{count} 个同时，同一公钥";
PUBLIC_KEY_LATENCY_CAPTION: "The same as time of one operation", "同上，以单次耗时表示";

// An equal load.
LOAD: "Under load: share of a core and memory", "负载：处理器占用与内存";
LOAD_INTRO: "Each is offered {rate} requests a second, with messages of 32 bytes, and takes the share of one core shown here. This is what a service pays that has so many requests, whichever algorithm it takes.", "每种算法都按每秒 {rate} 个请求（消息 32 字节）运行，以下为其占用单个核心的比例。无论采用何种算法，请求数相同的服务即须付出这些处理器时间。";
LOAD_FINDING: "{operation} at {rate} requests a second, share of a core: {list}.", "{operation}，每秒 {rate} 个请求时占用单核：{list}。";
LOAD_SHARE: "{name} {share}", "{name} {share}";
LOAD_TITLE: "Share of one core at {rate} requests a second (less is better; each panel has its own scale)", "每秒 {rate} 个请求时占用单核的比例（越低越好；各组刻度不同）";
LOAD_DESCRIPTION: "Bars of the share of one core, a panel for signing and one for verifying, a bar for each algorithm.", "签名与验签各一组条形，给出各算法占用单核的比例。";
LOAD_CAPTION: "Share of one core at an equal rate of requests, measured, and as rate × time of one", "请求速率相同时占用单核的比例：实测值，以及由速率 × 单次耗时算得的值";
SERVED_PER_SECOND: "Served a second", "每秒处理数";
SHARE_OF_CORE: "Share of a core", "单核占用";
RATE_TIMES_TIME: "Rate × time", "速率 × 耗时";
SHARE_IDLE: "The loop alone", "空循环";
GROWTH_INTRO: "Memory that a process has resident before and after many operations. A library that forgot to free something would grow with every one.", "进程在大量操作前后的常驻内存。若库漏释放内存，则每次操作都会使其增长。";
GROWTH_NONE: "Memory after many operations: no growth beyond 64 KiB, in any of the cases.", "大量操作后的内存：各项增长均不超过 64 KiB。";
GROWTH_SOME: "memory grew: {list}.", "内存增长：{list}。";
GROWTH_OF: "{operation}, {name} · {subject}, by {amount} over {count} operations", "{operation}，{name} · {subject}，{count} 次操作增长 {amount}";
GROWTH_CAPTION: "Resident memory before and after, a process for each", "操作前后的常驻内存（各用一个进程）";
REPEATED: "Operations", "操作次数";
RESIDENT_BEFORE: "Before", "之前";
RESIDENT_AFTER: "After", "之后";
PEAK_BEFORE: "Peak before", "之前峰值";
PEAK_AFTER: "Peak after", "之后峰值";
GROWN: "Growth", "增长";
GROWN_EACH: "Bytes each", "每次字节";

// Sizes, counts, memory.
SIZES: "Sizes of keys, signatures and ciphertexts", "密钥、签名与密文的长度";
SIZE_INTRO: "In bytes; where DER makes a length vary by a byte or two, the usual one. The shorter keys and signatures of curves are what certificates and short messages gain.", "单位为字节；DER 编码使长度有一两个字节的浮动时取常见值。椭圆曲线的短密钥与短签名对证书和短消息有利。";
SIZE_CAPTION: "Bytes, SM2 beside P-256 and RSA", "字节数：SM2 与 P-256、RSA";
DIGEST_CAPTION: "Bytes of a digest", "摘要字节数";
THING: "What", "内容";
ENCODING: "Encoding", "编码";
COUNTS: "Operations of one compression", "一次压缩的运算量";
COUNT_INTRO: "Counted by running the definition on words that count what is done to them; a rotation is two shifts and one logic operation. The published table books 128 of SM3's additions as logic and leaves SHA-256's NOT and some additions out, so the totals differ. A processor does a rotation in one instruction and several operations at once, so counts explain run times only in part.", "让定义在“会计数的字”上运行得出；一次循环移位计两次移位加一次逻辑运算。已发表的表格把 SM3 的 128 次加法计为逻辑运算，且略去 SHA-256 的取反与部分加法，故合计不同。处理器用一条指令完成循环移位，并可同时执行多条指令，因此运算量只能部分解释耗时。";
COUNT_CAPTION: "One compression of 64 bytes", "对 64 字节的一次压缩";
COUNT_TOTAL_CAPTION: "Both phases together", "两部分合计";
PHASE: "Phase", "环节";
ORIGIN: "Origin", "来源";
SHIFTS: "Shifts", "移位";
LOGIC: "Logic", "逻辑";
ADDITIONS: "Additions", "加法";
TOTAL: "Total", "合计";
MEMORY: "Working memory", "工作内存";
MEMORY_INTRO: "The deepest stack that one operation wrote to (measured by painting the stack), the size of the object that lives between calls, and read-only tables. It matters on small devices.", "一次操作写到的最深栈（用填充标记法测得）、调用间保留的对象大小，以及只读表。对小型设备有意义。";
MEMORY_TITLE: "Working memory (less is better; each panel has its own scale)", "工作内存（越低越好；各组刻度不同）";
MEMORY_DESCRIPTION: "Bars of bytes, a panel for each kind of memory, a bar for each algorithm and stage.", "每类内存一组条形，给出各算法与阶段的字节数。";
MEMORY_CAPTION: "Bytes, SM with the like international algorithm beside it", "字节数：国密与对应的国际算法";
STACK_OF: "Stack, deepest write: {family}", "栈（最深写入）：{family}";
MEASURE: "Measure", "测量项";

// Published elsewhere, attacks.
PUBLISHED: "Figures published elsewhere", "他处发表的数字";
PUBLISHED_INTRO: "these figures were published by others, for other machines and other code. They stand here to be compared in kind, not digit by digit.", "以下数字由他人发表，针对其他机器和其他代码，只宜看趋势，不宜逐位比较。";
PUBLISHED_CHART_TITLE: "Run-time ratio SM3 : SHA-256 by length, claimed and found (less is better for SM3)", "SM3 与 SHA-256 耗时比随长度变化：发表值与实测值（越低对 SM3 越有利）";
PUBLISHED_CHART_DESCRIPTION: "Lines of the run-time ratio of SM3 to SHA-256 over message length: this run, and figures published elsewhere.", "SM3 与 SHA-256 耗时比随消息长度变化的折线：本次实测与他处发表的数字。";
PUBLISHED_CAPTION: "Published elsewhere, for other machines, beside this run", "他处发表（其他机器）与本次实测";
PUBLISHED_ELSEWHERE: "Published elsewhere", "他处发表";
CLAIMED_BY: "published: {origin}", "发表：{origin}";
MEASURED_HERE: "this run: {what}", "本次实测：{what}";
THIS_RUN: "This run", "本次实测";
CLAIM: "Claim and origin", "说法与出处";
RUN_TIME_RATIO: "ratio of run times", "耗时比";
ATTACKS: "Best public attacks", "最好的公开攻击";
ATTACK_INTRO: "Attacks on versions cut down to fewer steps. Neither full function is in sight of an attack; both are open to length extension, so authenticate with HMAC, not with a bare hash. The choice is about compliance, peers and speed.", "针对减少步数版本的攻击。两个完整函数都远未受到威胁；两者都存在长度扩展问题，认证应使用 HMAC 而非裸杂凑。选择取决于合规、对接方与速度。";
ATTACK_CAPTION: "Best public attacks on reduced versions, as of {date}", "对减步版本的最好公开攻击（截至 {date}）";
ATTACK: "Attack", "攻击";
STEPS: "Steps", "步数";
STEPS_OF: "{steps} of {total}", "{steps}（共 {total}）";
COST: "Cost", "代价";
SOURCE: "Source", "出处";

// Method.
METHOD: "Method", "方法";
METHOD_LEAD: "How to read the numbers", "如何读这些数字";
METHOD_MEDIAN: "The number is the median of the samples; the range beside it runs from the tenth to the ninetieth percentile (p10–p90). Where two ranges overlap, call it even.", "数字为样本的中位数，旁边的范围为第 10 至第 90 百分位（p10–p90）。两个范围重叠时应视为持平。";
METHOD_RATIO: "A ratio is run time of SM over run time of the international algorithm. “Faster” is its inverse.", "比值为国密耗时除以国际算法耗时；“较快”时取其倒数。";
METHOD_ALIKE: "Like stands beside like: software with software, hardware with hardware, one thread with one thread; where only one side has instructions of its own, the column “each at its best” says so.", "同类相比：软件对软件，硬件对硬件，单线程对单线程；仅一方有专用指令时，在“各取最快”一栏中注明。";
METHOD_KNOWN_ANSWER: "A subject is timed only after it gave a known answer. Keys are made before the clock starts, memory is not allocated while it runs; one-time costs stand in a column of their own.", "被测对象须先通过已知答案检验。密钥在计时前备好，计时中不分配内存；一次性开销单列。";
METHOD_UNITS: "MB is 10^6 bytes, KiB 1,024, MiB 1,048,576. Numbers have three significant digits.", "MB 为 10^6 字节，KiB 为 1,024 字节，MiB 为 1,048,576 字节。数字保留三位有效数字。";
METHOD_JSON: "results.json holds every row with all digits.", "results.json 中有每一行的完整数字。";
EVERY_ROW: "Every row", "全部数据";
EVERY_ROW_CAPTION: "All {count} timed rows", "全部 {count} 行计时结果";

// Markdown.
OTHER_FILE: "[中文](report.zh-CN.md)", "[English](report.md)";
CHART_ELSEWHERE: "The curves and bars are in index.html; the tables hold the same numbers.", "图见 index.html，表格中有相同的数字。";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::text::Language;

    fn places(text: &str) -> Vec<&str> {
        let mut all: Vec<&str> = text
            .split('{')
            .skip(1)
            .filter_map(|rest| Some(rest.split_once('}')?.0))
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    #[test]
    fn both_languages_say_something_and_have_the_same_places() {
        for (name, text) in ALL {
            let (english, chinese) = (text.get(Language::English), text.get(Language::Chinese));
            assert!(!english.is_empty(), "{name}");
            assert!(!chinese.is_empty() || *name == "SPACE", "{name}");
            assert_eq!(places(english), places(chinese), "{name}");
        }
    }
}
