//! Keys for an implementation that is named instead of chosen: to compare the implementations of one machine.
use super::{KEY_LEN, Sm4, blocks::Backend};
use std::vec::Vec;

impl Sm4 {
    /// The names of the implementations that this machine can run, the portable one first.
    #[doc(hidden)]
    #[must_use]
    pub fn backends() -> Vec<&'static str> {
        let all = Backend::all(&[0; KEY_LEN]);
        all.iter().map(Backend::name).collect()
    }

    /// Expands a key for the implementation of that name; `None` when this machine cannot run it.
    ///
    /// Detects the processor's features at each call, and expands the key for every implementation.
    #[doc(hidden)]
    #[must_use]
    pub fn with_backend(name: &str, key: &[u8; KEY_LEN]) -> Option<Self> {
        let mut all = Backend::all(key).into_iter();
        let backend = all.find(|backend| backend.name() == name)?;
        Some(Self { backend })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_named_runs_and_the_chosen_one_is_among_them() {
        let key = [7; KEY_LEN];
        let names = Sm4::backends();
        assert!(names.contains(&Sm4::new(&key).backend()), "{names:?}");
        let mut expected = [3; 16];
        Sm4::new(&key).encrypt_block(&mut expected);
        for name in names {
            let sm4 = Sm4::with_backend(name, &key).unwrap();
            assert_eq!(sm4.backend(), name);
            let mut block = [3; 16];
            sm4.encrypt_block(&mut block);
            assert_eq!(block, expected, "{name}");
        }
        assert!(Sm4::with_backend("none of them", &key).is_none());
    }
}
