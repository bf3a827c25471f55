//! Words for the values of the data's own enumerations.

use super::Text;
use crate::result::{CountOrigin, CountPhase, Execution, Group, MemoryMeasure};

/// A part of the suite.
pub(crate) fn group(group: Group) -> Text {
    match group {
        Group::Hash => Text::pair("Hash", "杂凑"),
        Group::HashMany => Text::pair("Hash of many messages", "多消息杂凑"),
        Group::HashTree => Text::pair("Hash of small files", "小文件杂凑"),
        Group::HashFile => Text::pair("Hash of files", "文件杂凑"),
        Group::HashStage => Text::pair("Stages of hashes", "杂凑阶段"),
        Group::Mac => Text::pair("HMAC and CMAC", "HMAC 与 CMAC"),
        Group::CipherStage => Text::pair("Stages of SM4", "SM4 阶段"),
        Group::CipherMode => Text::pair("Modes", "工作模式"),
        Group::PublicKey => Text::pair("Public key", "公钥算法"),
        Group::Load => Text::pair("Load", "负载"),
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
