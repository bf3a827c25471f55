//! SM3 inside an asynchronous service, to be copied and changed.
//!
//! - [`upload`]: large bodies, hashed beside the runtime, with bounded memory.
//! - [`batch`]: small packets of many connections, hashed together.
//!
//! `docs/services.md` says when each pays.

pub mod batch;
pub mod upload;
