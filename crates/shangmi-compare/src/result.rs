//! What a run yields: plain data, serialised as `results.json`, from which every report is drawn.
//!
//! Every unit is in the field's name. [`Report::find`] and the ratios are in `result/query.rs`.

mod group;
mod load;
mod query;

use serde::{Deserialize, Serialize};

pub use group::Group;
pub use load::{GrowthRow, LoadRow};
pub use query::{Filter, geometric_mean};

/// The version of this data model; it rises when a field changes its meaning.
pub const SCHEMA: u32 = 1;

/// One run of the suite on one machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// [`SCHEMA`] of the program that wrote it.
    pub schema: u32,
    /// Version of this suite.
    pub suite_version: String,
    /// `quick`, `full` or `smoke`.
    pub profile: String,
    /// Groups that were measured, in the report's order.
    pub groups: Vec<Group>,
    /// Start of the run, `YYYY-MM-DDThh:mm:ssZ`.
    pub started_utc: String,
    /// Length of the run.
    pub duration_seconds: f64,
    /// Where it ran.
    pub machine: Machine,
    /// What took part, and what was looked for and not found.
    pub libraries: Vec<Library>,
    /// The timed rows.
    pub rows: Vec<Row>,
    /// Operations of one compression.
    pub operation_counts: Vec<CountRow>,
    /// Working memory and state sizes.
    pub memory: Vec<MemoryRow>,
    /// Processor time at a steady rate of requests.
    #[serde(default)]
    pub load: Vec<LoadRow>,
    /// Resident memory before and after many operations.
    #[serde(default)]
    pub growth: Vec<GrowthRow>,
    /// Sizes of keys, signatures and ciphertexts.
    pub sizes: Vec<SizeRow>,
    /// Figures that others published, for other machines.
    pub published: Vec<PublishedRow>,
    /// The best public attacks on reduced versions.
    pub attacks: Vec<AttackRow>,
    /// Subjects that failed their known answer and were therefore not timed.
    pub refused: Vec<RefusedSubject>,
    /// Programs that are not there, or that lack the algorithm.
    #[serde(default)]
    pub skipped: Vec<RefusedSubject>,
    /// What a reader must know to read the numbers rightly (what is not alike, what could not be had).
    pub notes: Vec<Note>,
}

/// The machine, as far as the operating system tells.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// As the processor names itself.
    pub cpu_model: String,
    /// `x86_64`, `aarch64`, ...
    pub architecture: String,
    /// Logical processors that this process may use.
    pub cores: u32,
    /// Memory of the machine.
    pub memory_bytes: Option<u64>,
    /// Name and version of the operating system.
    pub os: String,
    /// Kernel release.
    pub kernel: String,
    /// The hypervisor, where the processor admits to one.
    pub virtualised: bool,
    /// Instruction sets that matter here and that the operating system lists.
    pub cpu_features: Vec<String>,
    /// Frequency governor, where the kernel tells.
    pub governor: Option<String>,
    /// The compiler of this binary.
    pub rustc: String,
    /// Optimisation of this binary: `release` or `debug`.
    pub build: String,
    /// Core cycles in a second, as measured during the run.
    pub core_hertz: Option<f64>,
    /// How `core_hertz` was got; `None` when it could not be, and then no row has cycles.
    pub cycle_method: Option<String>,
}

/// A library that took part, or that was looked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Library {
    /// The name that `Row::subject` uses.
    pub name: String,
    /// As the library tells it.
    pub version: String,
    /// What it is and what it is here for.
    pub note: String,
    /// Whether it took part.
    pub status: LibraryStatus,
}

/// Whether a library took part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LibraryStatus {
    /// It took part.
    Used,
    /// It was not found; `hint` says what would help.
    Absent {
        /// What would make it available.
        hint: String,
    },
}

/// Which family an algorithm belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// SM2, SM3, SM4.
    Sm,
    /// RSA, P-256, SHA-256, AES.
    International,
}

/// What the code ran on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Execution {
    /// General (and vector) instructions.
    Software,
    /// Instructions made for this very algorithm (SHA-NI for SHA-256, AES-NI for AES, ...).
    Hardware,
}

/// One timed operation of one subject.
///
/// Rows are alike, and may be set side by side, when `group`, `operation`, `bytes`, `items` and `threads`
/// are equal; like is compared with like when `execution` is equal too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The part of the suite.
    pub group: Group,
    /// What was done, a stable identifier shared by both sides:
    /// `digest`; `digest-many`; `digest-streaming`, `digest-mapped`; `digest-tree`;
    /// `mac` (key state kept), `mac-new-key`, `mac-many`; `cmac`, `cmac-many`;
    /// `ecb-encrypt`, `ecb-decrypt`, `cbc-encrypt`, `cbc-decrypt`, `cbc-encrypt-many`, `ctr`, `xts-encrypt`, `xts-decrypt`, `gcm-encrypt`, `gcm-decrypt`;
    /// `generate-key`, `sign`, `verify`, `verify-prepared` (with a table of the key's own), `encrypt`, `decrypt`, `agree`,
    /// `generate-key-many`, `sign-many`, `verify-many` (under different keys), `verify-many-one-key`, `decrypt-many`.
    pub operation: String,
    /// `SM3`, `SHA-256`, `HMAC-SM3`, `HMAC-SHA256`, `CMAC-SM4`, `CMAC-AES-128`, `SM4`, `AES-128`, `SM2`, `RSA-2048`, `RSA-3072`, `P-256`.
    pub algorithm: String,
    /// Scheme (`PSS, SHA-256`), stage (`textbook`, `t-table`, ...), or way of going through many messages
    /// (`many lanes`, `one stream`, `many at once`), where there are several.
    pub variant: Option<String>,
    /// The library: `shangmi`, `aws-lc`, `libcrypto`, `reference`; or the program: `shangmi`, `cksum`, `openssl`,
    /// `sha256sum`.
    pub subject: String,
    /// The code path, as told by the object that ran where it can tell.
    pub backend: String,
    /// SM or international.
    pub side: Side,
    /// Software or hardware.
    pub execution: Execution,
    /// Whether it runs in constant time; `None` where the library does not say.
    pub constant_time: Option<bool>,
    /// Claimed strength (collision resistance for hashes).
    pub security_bits: u32,
    /// Bytes processed by one operation: message, file or buffer; all of them, where there are several.
    pub bytes: Option<u64>,
    /// Messages or files of one operation, where it takes several.
    #[serde(default)]
    pub items: Option<u64>,
    /// Threads at work.
    pub threads: u32,
    /// Time of one operation.
    pub timing: Timing,
    /// Core cycles for each byte; `None` without `bytes` or without a cycle measure.
    pub cycles_per_byte: Option<f64>,
    /// Core cycles of one operation; `None` without a cycle measure.
    pub cycles: Option<f64>,
    /// Cost paid once, outside `timing`: key schedule, `Z_A`, key state.
    pub one_time_nanoseconds: Option<f64>,
}

/// Time of one operation over the samples of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// Middle sample: the number to quote.
    pub median_nanoseconds: f64,
    /// Fastest sample.
    pub min_nanoseconds: f64,
    /// Slowest sample.
    pub max_nanoseconds: f64,
    /// A tenth of the samples is faster.
    pub p10_nanoseconds: f64,
    /// A tenth of the samples is slower.
    pub p90_nanoseconds: f64,
    /// Median distance from the median.
    pub mad_nanoseconds: f64,
    /// How many samples.
    pub samples: u32,
    /// Operations in each sample.
    pub iterations_per_sample: u64,
}

/// Operations in one compression of 64 bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountRow {
    /// `SM3` or `SHA-256`.
    pub algorithm: String,
    /// Part of the compression.
    pub phase: CountPhase,
    /// Where the numbers come from.
    pub origin: CountOrigin,
    /// Shifts of a word (a rotation is two shifts and one logic operation).
    pub shifts: u32,
    /// AND, OR, XOR, NOT of words.
    pub logic: u32,
    /// Additions modulo 2^32.
    pub additions: u32,
    /// Why they differ, or what was saved.
    pub note: String,
}

/// Part of a compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CountPhase {
    /// Message expansion.
    Expansion,
    /// The 64 steps.
    StateUpdate,
}

/// Where operation counts come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CountOrigin {
    /// Tallied by running the definition on a word that counts.
    Counted,
    /// Tallied the same way, with common terms shared and constants made beforehand.
    CountedShared,
    /// As a published table has it.
    Published,
}

/// Memory of one operation or of one state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryRow {
    /// `SM3`, `SHA-256`, `SM4`, ...
    pub algorithm: String,
    /// The library.
    pub subject: String,
    /// Stage, where there are several (`16-word window`, `68-word window`, `132 words`).
    pub variant: Option<String>,
    /// SM or international.
    pub side: Side,
    /// What was measured.
    pub measure: MemoryMeasure,
    /// The measure.
    pub bytes: u64,
    /// How it was measured.
    pub note: String,
}

/// Kinds of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryMeasure {
    /// Deepest stack that one operation wrote to, measured.
    StackHighWater,
    /// Size of the object that lives between calls.
    State,
    /// Look-up tables (read-only).
    Tables,
}

/// Size of a key, a signature or a ciphertext.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SizeRow {
    /// `SM2`, `RSA-2048`, ...
    pub algorithm: String,
    /// SM or international.
    pub side: Side,
    /// `private-key`, `public-key`, `signature`, `ciphertext-of-32-bytes`, `digest`.
    pub what: String,
    /// `raw`, `DER SPKI`, `DER PKCS#8`, ...
    pub encoding: String,
    /// The size (the usual one, where DER makes it vary by a byte or two).
    pub bytes: u64,
    /// Claimed strength.
    pub security_bits: u32,
}

/// A figure published elsewhere, for another machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PublishedRow {
    /// The part of the suite that it belongs to.
    pub group: Group,
    /// What is claimed, in words.
    pub claim: String,
    /// Who claims it and on which machine, as far as known.
    pub origin: String,
    /// Bytes, where the figure is for one length.
    pub bytes: Option<u64>,
    /// The figure as text (`16 to 30`, `1.38`).
    pub claimed: String,
    /// `ratio of run times`, `MB/s`, `operations/s`, `bytes`, `percent`.
    pub unit: String,
    /// The like figure of this run, in the same unit; `None` when this run has none.
    pub measured: Option<f64>,
    /// What `measured` compares, in words.
    pub measured_as: String,
}

/// The best public attack of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttackRow {
    /// `SM3` or `SHA-256`.
    pub algorithm: String,
    /// Kind of attack.
    pub attack: String,
    /// Steps that are broken.
    pub steps: String,
    /// Steps of the full function.
    pub total_steps: u32,
    /// Cost of the attack.
    pub cost: String,
    /// Who published it.
    pub source: String,
    /// Month in which this table was written, `YYYY-MM`.
    pub as_of: String,
}

/// A subject that was not timed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedSubject {
    /// The part of the suite.
    pub group: Group,
    /// Library.
    pub subject: String,
    /// Algorithm and operation.
    pub operation: String,
    /// What was wrong.
    pub reason: String,
}

/// A remark for the reader, in both languages of the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The part of the suite; `None` for all of it.
    pub group: Option<Group>,
    /// English.
    pub english: String,
    /// Simplified Chinese.
    pub chinese: String,
}
