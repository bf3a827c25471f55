//! Words for what the data names: identifiers, stages, claims.
//!
//! The data is in English; [`term`] finds the words of both languages. What it does not know stays as it is.

use super::Text;
use crate::result::{CountOrigin, CountPhase, Execution, Group, MemoryMeasure};

/// Identifiers and fixed words of the data.
const TERMS: &[(&str, &str, &str)] = &[
    // Profiles.
    ("quick", "quick", "快速"),
    ("full", "full", "完整"),
    ("smoke", "smoke", "冒烟"),
    // Operations.
    ("digest", "Digest", "摘要"),
    (
        "digest-streaming",
        "Digest, read in pieces",
        "摘要（分块读取）",
    ),
    ("digest-mapped", "Digest, mapped", "摘要（内存映射）"),
    ("mac", "MAC, key state kept", "MAC（保留密钥状态）"),
    ("mac-new-key", "MAC, new key each time", "MAC（每次新密钥）"),
    ("ecb-encrypt", "ECB encrypt", "ECB 加密"),
    ("ecb-decrypt", "ECB decrypt", "ECB 解密"),
    ("cbc-encrypt", "CBC encrypt", "CBC 加密"),
    ("cbc-decrypt", "CBC decrypt", "CBC 解密"),
    ("ctr", "CTR", "CTR"),
    ("gcm-encrypt", "GCM encrypt", "GCM 加密"),
    ("gcm-decrypt", "GCM decrypt", "GCM 解密"),
    ("generate-key", "Generate a key", "生成密钥"),
    ("sign", "Sign", "签名"),
    ("verify", "Verify", "验签"),
    ("encrypt", "Encrypt", "加密"),
    ("decrypt", "Decrypt", "解密"),
    ("agree", "Agree on a key", "密钥协商"),
    // Stages.
    ("textbook", "textbook", "教科书写法"),
    ("t-table", "T-tables", "T 表"),
    ("byte-wise", "byte-wise", "逐字节"),
    ("unrolled", "unrolled", "循环展开"),
    // Sizes.
    ("private-key", "Private key", "私钥"),
    ("public-key", "Public key", "公钥"),
    ("signature", "Signature", "签名值"),
    (
        "ciphertext-of-32-bytes",
        "Ciphertext of 32 bytes",
        "32 字节的密文",
    ),
    ("raw", "raw", "裸编码"),
    // Attacks.
    ("collision", "collision", "碰撞"),
    (
        "free-start collision",
        "free-start collision",
        "自由起始碰撞",
    ),
    (
        "semi-free-start collision",
        "semi-free-start collision",
        "半自由起始碰撞",
    ),
    ("preimage", "preimage", "原像"),
    ("pseudo-preimage", "pseudo-preimage", "伪原像"),
    ("pseudo-collision", "pseudo-collision", "伪碰撞"),
    ("practical", "practical", "实际可行"),
    // Units.
    ("ratio of run times", "ratio of run times", "耗时比"),
    ("operations/s", "operations/s", "次/秒"),
    ("bytes", "bytes", "字节"),
    ("percent", "percent", "百分比"),
];

/// The words for `name`, or `name` itself.
pub(crate) fn term(name: &str) -> Text {
    match TERMS.iter().find(|(key, ..)| *key == name) {
        Some((_, english, chinese)) => Text::pair(english, chinese),
        None => Text::from(name),
    }
}

/// A part of the suite.
pub(crate) fn group(group: Group) -> Text {
    match group {
        Group::Hash => Text::pair("Hash", "杂凑"),
        Group::HashFile => Text::pair("Hash of files", "文件杂凑"),
        Group::HashStage => Text::pair("Stages of hashes", "杂凑阶段"),
        Group::Mac => Text::pair("HMAC", "HMAC"),
        Group::CipherStage => Text::pair("Stages of SM4", "SM4 阶段"),
        Group::CipherMode => Text::pair("Modes", "工作模式"),
        Group::PublicKey => Text::pair("Public key", "公钥算法"),
        Group::Counts => Text::pair("Operation counts", "运算量"),
        Group::Memory => Text::pair("Memory", "内存"),
    }
}

/// What the code ran on.
pub(crate) fn execution(execution: Execution) -> Text {
    match execution {
        Execution::Software => Text::pair("general", "通用指令"),
        Execution::Hardware => Text::pair("made for the algorithm", "算法专用指令"),
    }
}

/// Whether it runs in constant time.
pub(crate) fn constant_time(value: Option<bool>) -> Text {
    match value {
        Some(true) => Text::pair("✓ yes", "✓ 是"),
        Some(false) => Text::pair("✗ no", "✗ 否"),
        None => Text::pair("not said", "未声明"),
    }
}

/// Part of a compression.
pub(crate) fn phase(phase: CountPhase) -> Text {
    match phase {
        CountPhase::Expansion => Text::pair("Message expansion", "消息扩展"),
        CountPhase::StateUpdate => Text::pair("State update", "状态更新"),
    }
}

/// Where operation counts come from.
pub(crate) fn origin(origin: CountOrigin) -> Text {
    match origin {
        CountOrigin::Counted => Text::pair("counted here", "实际计数"),
        CountOrigin::CountedShared => {
            Text::pair("counted here, terms shared", "实际计数（共用中间量）")
        }
        CountOrigin::Published => Text::pair("published elsewhere", "他处发表"),
    }
}

/// Kinds of memory.
pub(crate) fn measure(measure: MemoryMeasure) -> Text {
    match measure {
        MemoryMeasure::StackHighWater => Text::pair("Stack, deepest write", "栈（最深写入）"),
        MemoryMeasure::State => Text::pair("State between calls", "调用间状态"),
        MemoryMeasure::Tables => Text::pair("Read-only tables", "只读表"),
    }
}
