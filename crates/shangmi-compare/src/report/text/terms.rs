//! Words for what the data names: identifiers, stages, claims.
//!
//! The data is in English; [`term`] finds the words of both languages. What it does not know stays as it is.

use super::Text;

/// Identifiers of the data in both languages.
const IDENTIFIERS: &[(&str, &str, &str)] = &[
    // Operations.
    ("digest", "Digest", "摘要"),
    (
        "digest-streaming",
        "Digest, read in pieces",
        "摘要（分块读取）",
    ),
    ("digest-mapped", "Digest, mapped", "摘要（内存映射）"),
    ("digest-many", "Digests of many messages", "多消息摘要"),
    ("digest-tree", "Digests of small files", "小文件摘要"),
    ("mac", "MAC, key state kept", "MAC（保留密钥状态）"),
    ("mac-new-key", "MAC, new key each time", "MAC（每次新密钥）"),
    ("mac-many", "MACs of many messages", "多消息 MAC"),
    ("cmac", "CMAC, key state kept", "CMAC（保留密钥状态）"),
    ("cmac-many", "CMACs of many messages", "多消息 CMAC"),
    ("ecb-encrypt", "ECB encrypt", "ECB 加密"),
    ("ecb-decrypt", "ECB decrypt", "ECB 解密"),
    ("cbc-encrypt", "CBC encrypt", "CBC 加密"),
    ("cbc-decrypt", "CBC decrypt", "CBC 解密"),
    (
        "cbc-encrypt-many",
        "CBC encrypt, many messages",
        "CBC 加密（多消息）",
    ),
    ("ctr", "CTR", "CTR"),
    ("xts-encrypt", "XTS encrypt", "XTS 加密"),
    ("xts-decrypt", "XTS decrypt", "XTS 解密"),
    ("gcm-encrypt", "GCM encrypt", "GCM 加密"),
    ("gcm-decrypt", "GCM decrypt", "GCM 解密"),
    ("generate-key", "Generate a key", "生成密钥"),
    ("sign", "Sign", "签名"),
    ("verify", "Verify", "验签"),
    (
        "verify-prepared",
        "Verify, key prepared",
        "验签（预备公钥）",
    ),
    ("generate-key-many", "Generate many keys", "批量生成密钥"),
    ("sign-many", "Sign many", "批量签名"),
    ("verify-many", "Verify many", "批量验签"),
    (
        "verify-many-one-key",
        "Verify many, one key",
        "批量验签（同一公钥）",
    ),
    ("decrypt-many", "Decrypt many", "批量解密"),
    ("encrypt", "Encrypt", "加密"),
    ("decrypt", "Decrypt", "解密"),
    ("agree", "Agree on a key", "密钥协商"),
    // Stages.
    ("t-table", "T-tables", "T 表"),
    ("rolling", "rolling window", "滚动窗口"),
    (
        "unrolled-4",
        "T-tables, 4 rounds unrolled",
        "T 表，4 轮展开",
    ),
    (
        "unrolled-8",
        "T-tables, 8 rounds unrolled",
        "T 表，8 轮展开",
    ),
    // Sizes.
    ("private-key", "Private key", "私钥"),
    ("public-key", "Public key", "公钥"),
    ("signature", "Signature", "签名值"),
    (
        "ciphertext-of-32-bytes",
        "Ciphertext of 32 bytes",
        "32 字节的密文",
    ),
];

/// Words of the data that are good English already, and their Chinese.
const TERMS: &[(&str, &str)] = &[
    // Profiles.
    ("quick", "快速"),
    ("full", "完整"),
    ("smoke", "冒烟"),
    // Stages.
    ("textbook", "教科书写法"),
    ("byte-wise", "逐字节"),
    ("unrolled", "循环展开"),
    ("rolling window", "滚动窗口"),
    ("16-word window", "16 字窗口"),
    ("68-word window", "68 字窗口"),
    // Ways through many messages.
    ("many lanes", "多通道"),
    ("one stream", "单流"),
    ("many at once", "批量"),
    ("many at once, one key", "批量（同一公钥）"),
    ("key prepared", "预备公钥"),
    // Why a program was left out.
    ("the program is not there", "未找到该程序"),
    (
        "the running program is not shangmi",
        "当前运行的程序不是 shangmi",
    ),
    ("its digests are not those of the files", "其摘要与文件不符"),
    // Code paths.
    ("chosen by the program", "由程序自行选择"),
    ("portable", "可移植代码"),
    ("bitsliced", "比特切片"),
    ("software", "软件"),
    ("library's own choice", "由库自行选择"),
    (
        "SHA instructions, by processor flags",
        "SHA 指令（依处理器标志判断）",
    ),
    (
        "AES instructions, by processor flags",
        "AES 指令（依处理器标志判断）",
    ),
    (
        "SM3 instructions, by processor flags",
        "SM3 指令（依处理器标志判断）",
    ),
    (
        "SM4 instructions, by processor flags",
        "SM4 指令（依处理器标志判断）",
    ),
    (
        "software, SHA instructions masked by OPENSSL_ia32cap",
        "软件（以 OPENSSL_ia32cap 屏蔽 SHA 指令）",
    ),
    (
        "software, AES instructions masked by OPENSSL_ia32cap",
        "软件（以 OPENSSL_ia32cap 屏蔽 AES 指令）",
    ),
    (
        "time of a chain of dependent additions and rotations, one cycle each, taken before and after each group of rows; the time-stamp counter is not used",
        "由一串相互依赖、各占一个周期的加法与循环移位的耗时得出，在每组测量前后各测一次；不使用时间戳计数器",
    ),
    // Libraries.
    (
        "this project's own code: SM2, SM3 and SM4, constant-time",
        "本项目自己的代码：SM2、SM3、SM4，恒定时间",
    ),
    (
        "AWS-LC through the crate aws-lc-rs, built into this program: SHA-256, AES-128, RSA and P-256",
        "AWS-LC（经 aws-lc-rs 编译进本程序）：SHA-256、AES-128、RSA、P-256",
    ),
    (
        "this project's executable specification in its stages: shows what each optimisation brings; not constant-time",
        "本项目的可执行规范及其各优化阶段，用于说明每步优化的收益；非恒定时间",
    ),
    (
        "the system's OpenSSL, loaded at run time: both sides",
        "系统自带的 OpenSSL，运行时加载：国密与国际算法",
    ),
    (
        "a program of this machine, over many small files",
        "本机上的程序，用于大量小文件",
    ),
    // Schemes.
    ("SM3, default ID", "SM3，默认用户标识"),
    ("SM3, DER", "SM3，DER"),
    (
        "ephemeral ECDH, HKDF-SHA256, AES-128-GCM",
        "临时 ECDH，HKDF-SHA256，AES-128-GCM",
    ),
    // Counts.
    ("equal to the count", "与实际计数一致"),
    (
        "the same total: 128 additions are booked as logic operations",
        "合计相同：128 次加法被计为逻辑运算",
    ),
    (
        "NOT is not counted (64 fewer logic operations), and 192 of the 448 additions are missing",
        "未计取反（少 64 次逻辑运算），448 次加法中漏计 192 次",
    ),
    (
        "by the definition: A <<< 12 computed twice in a step, T_j rotated in each step",
        "按定义：每步计算两次 A <<< 12，每步循环移位 T_j",
    ),
    (
        "A <<< 12 computed once in a step, T_j rotated beforehand",
        "每步只算一次 A <<< 12，T_j 预先移位",
    ),
    (
        "by the definition; NOT counts as logic",
        "按定义；取反计为逻辑运算",
    ),
    // Memory.
    (
        "stack that one digest of 64 bytes wrote to",
        "对 64 字节求一次摘要所写到的栈",
    ),
    (
        "stack that CTR over 1024 bytes wrote to, key schedule included",
        "对 1024 字节做 CTR 所写到的栈（含密钥扩展）",
    ),
    (
        "stack that one signature of 32 bytes wrote to",
        "对 32 字节签名一次所写到的栈",
    ),
    (
        "the hasher between two parts of a message",
        "处理两段消息之间的杂凑对象",
    ),
    ("the key state", "密钥状态"),
    ("the key schedule", "轮密钥"),
    ("the signer with its cached values", "含缓存值的签名对象"),
    ("the public key", "公钥"),
    // Sizes.
    ("raw", "裸编码"),
    ("uncompressed point", "未压缩点"),
    ("compressed point", "压缩点"),
    ("as long as the modulus", "与模数等长"),
    ("point || AES-GCM", "点 || AES-GCM"),
    // Published figures.
    ("SM3 / SHA-256, run time", "SM3 / SHA-256 耗时"),
    (
        "a vendor's plain C, another machine",
        "某厂商的纯 C 实现，其他机器",
    ),
    ("OpenSSL, another machine", "OpenSSL，其他机器"),
    ("various, other machines", "多处来源，其他机器"),
    ("published elsewhere, another machine", "他处发表，其他机器"),
    ("published elsewhere", "他处发表"),
    ("Intel i7-12700H", "Intel i7-12700H"),
    (
        "shangmi's SM3 over aws-lc's software SHA-256",
        "shangmi 的 SM3 对 aws-lc 的软件 SHA-256",
    ),
    (
        "libcrypto's SM3 over its software SHA-256",
        "libcrypto 的 SM3 对其软件 SHA-256",
    ),
    (
        "shangmi's HMAC-SM3 over aws-lc's software HMAC-SHA256",
        "shangmi 的 HMAC-SM3 对 aws-lc 的软件 HMAC-SHA256",
    ),
    (
        "stack of one digest by the textbook stage",
        "教科书写法求一次摘要所用的栈",
    ),
    (
        "SM3 slower than SHA-256 in software",
        "软件实现中 SM3 比 SHA-256 慢",
    ),
    (
        "HMAC-SM3 slower than HMAC-SHA256",
        "HMAC-SM3 比 HMAC-SHA256 慢",
    ),
    ("SM4, byte-wise S-box", "SM4，逐字节查 S 盒"),
    ("SM4, T-tables", "SM4，T 表"),
    ("SM4, T-tables unrolled", "SM4，T 表并展开"),
    ("SM4, OpenSSL", "SM4，OpenSSL"),
    ("RSA-2048 sign", "RSA-2048 签名"),
    ("RSA-2048 verify", "RSA-2048 验签"),
    ("RSA-2048 encrypt", "RSA-2048 加密"),
    ("RSA-2048 decrypt", "RSA-2048 解密"),
    ("SM2 sign", "SM2 签名"),
    ("SM2 verify", "SM2 验签"),
    ("SM2 encrypt", "SM2 加密"),
    ("SM2 decrypt", "SM2 解密"),
    ("SM3, working memory", "SM3 工作内存"),
    ("SHA-256, working memory", "SHA-256 工作内存"),
    ("aws-lc, 32 bytes", "aws-lc，32 字节"),
    ("shangmi, 32 bytes", "shangmi，32 字节"),
    (
        "reference, ECB encryption of 16 KiB",
        "reference，ECB 加密 16 KiB",
    ),
    (
        "libcrypto, ECB encryption of 16 KiB",
        "libcrypto，ECB 加密 16 KiB",
    ),
    ("16 to 30", "16 至 30"),
    ("about 20", "约 20"),
    ("450 to 500", "450 至 500"),
    ("about 560", "约 560"),
    ("300 to 400", "300 至 400"),
    // Attacks.
    ("collision", "碰撞"),
    ("free-start collision", "自由起始碰撞"),
    ("semi-free-start collision", "半自由起始碰撞"),
    ("preimage", "原像"),
    ("pseudo-preimage", "伪原像"),
    ("pseudo-collision", "伪碰撞"),
    ("practical", "实际可行"),
    (
        "practical since 2024 (2^65.5 in 2013)",
        "2024 年起实际可行（2013 年为 2^65.5）",
    ),
    // Units.
    ("ratio of run times", "耗时比"),
    ("operations/s", "次/秒"),
    ("bytes", "字节"),
    ("percent", "百分比"),
];

/// The words for `name`, or `name` itself.
pub(crate) fn term(name: &str) -> Text {
    let identifier = IDENTIFIERS.iter().find(|(key, ..)| *key == name);
    if let Some((_, english, chinese)) = identifier {
        return Text::pair(english, chinese);
    }
    match TERMS.iter().find(|(english, _)| *english == name) {
        Some((english, chinese)) => Text::pair(english, chinese),
        None => Text::from(name),
    }
}

/// What would make an absent library available: the loader's own words, then the advice.
pub(crate) fn hint(hint: &str) -> Text {
    const ADVICE: &str = "; install OpenSSL 3 to have its rows too";
    match hint.strip_suffix(ADVICE) {
        Some(reason) => Text::owned(
            hint.to_owned(),
            format!("{reason}；安装 OpenSSL 3 后即可得到其各行"),
        ),
        None => term(hint),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::text::Language;

    #[test]
    fn the_words_of_the_data_are_known_in_chinese() {
        let counts = crate::workloads::counts::rows();
        let attacks = crate::published::attack_rows();
        let libraries = [
            crate::subjects::shangmi::library(),
            crate::subjects::aws_lc::library(),
            crate::subjects::stages::library(),
        ];
        let words = counts
            .iter()
            .map(|row| &row.note)
            .chain(attacks.iter().map(|row| &row.attack))
            .chain(libraries.iter().map(|library| &library.note));
        for english in words {
            let text = term(english);
            assert_eq!(text.get(Language::English), english);
            assert!(!text.is_same(), "no Chinese for {english:?}");
        }
        assert!(!term(crate::clock::METHOD).is_same());
        assert!(!hint("no such file; install OpenSSL 3 to have its rows too").is_same());
    }

    #[test]
    fn no_word_is_listed_twice() {
        let mut all: Vec<&str> = TERMS.iter().map(|(english, _)| *english).collect();
        all.extend(IDENTIFIERS.iter().map(|(key, ..)| *key));
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
