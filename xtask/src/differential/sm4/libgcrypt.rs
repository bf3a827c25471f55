//! SM4 of the system's libgcrypt, found at run time.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr;

use anyhow::{Result, ensure};
use libloading::Library;

use super::{Case, Mode, Way};

/// What installs it.
pub(super) const INSTALL: &str = "apt-get install libgcrypt20";

type Handle = *mut c_void;

/// `gcry_error_t`; zero is success.
type Code = c_uint;

type Version = unsafe extern "C" fn(*const c_char) -> *const c_char;
type Number = unsafe extern "C" fn(*const c_char) -> c_int;
type Open = unsafe extern "C" fn(*mut Handle, c_int, c_int, c_uint) -> Code;
type OpenMac = unsafe extern "C" fn(*mut Handle, c_int, c_uint, Handle) -> Code;
type Put = unsafe extern "C" fn(Handle, *const c_void, usize) -> Code;
type Take = unsafe extern "C" fn(Handle, *mut c_void, usize) -> Code;
type Crypt = unsafe extern "C" fn(Handle, *mut c_void, usize, *const c_void, usize) -> Code;
type Control = unsafe extern "C" fn(Handle, c_int, *mut c_void, usize) -> Code;
type ReadMac = unsafe extern "C" fn(Handle, *mut c_void, *mut usize) -> Code;

/// `GCRY_MAC_CMAC_SM4`, `GCRYCTL_RESET` and `GCRYCTL_SET_CCM_LENGTHS`.
const CMAC_SM4: c_int = 212;
const RESET: c_int = 4;
const SET_CCM_LENGTHS: c_int = 69;

const TAG_LEN: usize = 16;

/// The numbers of the modes in gcrypt.h; XTS is that of IEEE 1619.
const MODES: [(Mode, c_int); 8] = [
    (Mode::Ecb, 1),
    (Mode::Cfb, 2),
    (Mode::Cbc, 3),
    (Mode::Ofb, 5),
    (Mode::Ctr, 6),
    (Mode::Ccm, 8),
    (Mode::Gcm, 9),
    (Mode::XtsIeee, 13),
];

/// The functions, handles by mode, and the library that they lie in. The handles are needed to the end of the
/// process and never closed.
pub(super) struct Libgcrypt {
    pub(super) version: String,
    handles: Vec<(Mode, Handle)>,
    mac: Handle,
    set_key: Put,
    set_iv: Put,
    set_counter: Put,
    authenticate: Put,
    encrypt: Crypt,
    decrypt: Crypt,
    tag: Take,
    control: Control,
    mac_set_key: Put,
    mac_control: Control,
    mac_write: Put,
    mac_read: ReadMac,
    _library: Library,
}

/// Finds the library, or says what is missing.
pub(super) fn open() -> Result<Libgcrypt, String> {
    // SAFETY: loading runs the initialisers of the system's own libgcrypt, which any program may load.
    let found = unsafe { Library::new("libgcrypt.so.20") }.and_then(load);
    match found {
        Ok(found) if found.is_whole() => Ok(found),
        Ok(found) => Err(format!("libgcrypt {} lacks modes of SM4", found.version)),
        Err(error) => Err(format!("no libgcrypt ({error})")),
    }
}

fn load(library: Library) -> Result<Libgcrypt, libloading::Error> {
    // SAFETY: each type is the prototype in gcrypt.h, and the library is kept beside the functions. The version
    // comes first, as the manual asks; it is a static string that ends with zero.
    unsafe {
        let version = library.get::<Version>(b"gcry_check_version\0")?(ptr::null());
        let algorithm = library.get::<Number>(b"gcry_cipher_map_name\0")?(c"SM4".as_ptr());
        let open = *library.get::<Open>(b"gcry_cipher_open\0")?;
        let open_mac = *library.get::<OpenMac>(b"gcry_mac_open\0")?;
        let handle = |number| {
            let mut handle = ptr::null_mut();
            open(&raw mut handle, algorithm, number, 0);
            handle
        };
        let mut mac = ptr::null_mut();
        open_mac(&raw mut mac, CMAC_SM4, 0, ptr::null_mut());
        Ok(Libgcrypt {
            version: CStr::from_ptr(version).to_string_lossy().into_owned(),
            handles: MODES.map(|(mode, number)| (mode, handle(number))).into(),
            mac,
            set_key: *library.get(b"gcry_cipher_setkey\0")?,
            set_iv: *library.get(b"gcry_cipher_setiv\0")?,
            set_counter: *library.get(b"gcry_cipher_setctr\0")?,
            authenticate: *library.get(b"gcry_cipher_authenticate\0")?,
            encrypt: *library.get(b"gcry_cipher_encrypt\0")?,
            decrypt: *library.get(b"gcry_cipher_decrypt\0")?,
            tag: *library.get(b"gcry_cipher_gettag\0")?,
            control: *library.get(b"gcry_cipher_ctl\0")?,
            mac_set_key: *library.get(b"gcry_mac_setkey\0")?,
            mac_control: *library.get(b"gcry_mac_ctl\0")?,
            mac_write: *library.get(b"gcry_mac_write\0")?,
            mac_read: *library.get(b"gcry_mac_read\0")?,
            _library: library,
        })
    }
}

impl Libgcrypt {
    fn is_whole(&self) -> bool {
        let mut handles = self.handles.iter().map(|(_, handle)| handle);
        handles.all(|handle| !handle.is_null()) && !self.mac.is_null()
    }

    /// The output, with the tag after it where the mode has one; none where this library lacks the mode.
    pub(super) fn crypt(&self, case: &Case, way: Way, text: &[u8]) -> Result<Option<Vec<u8>>> {
        if case.mode == Mode::Cmac {
            return self.cmac(&case.key, text).map(Some);
        }
        let Some(&(_, handle)) = self.handles.iter().find(|(mode, _)| *mode == case.mode) else {
            return Ok(None);
        };
        let mut out = text.to_vec();
        let started = self.start(handle, case, text.len());
        let crypt = match way {
            Way::Encrypt => self.encrypt,
            Way::Decrypt => self.decrypt,
        };
        // SAFETY: the handle is alive; null and 0 for the input mean in place.
        let done = unsafe { crypt(handle, out.as_mut_ptr().cast(), out.len(), ptr::null(), 0) };
        // CCM keeps a call without data for itself, and has nothing to do then.
        let done = done == 0 || (out.is_empty() && case.mode == Mode::Ccm);
        let mut tag = [0; TAG_LEN];
        let sealed = !case.mode.authenticates()
            // SAFETY: the handle is alive; the tag has 16 bytes.
            || unsafe { (self.tag)(handle, tag.as_mut_ptr().cast(), TAG_LEN) } == 0;
        ensure!(
            started && done && sealed,
            "libgcrypt refuses {:?}",
            case.mode
        );
        if case.mode.authenticates() {
            out.extend(tag);
        }
        Ok(Some(out))
    }

    /// Sets all that comes before the text.
    fn start(&self, handle: Handle, case: &Case, text_len: usize) -> bool {
        let put = |put: Put, bytes: &[u8]| {
            // SAFETY: the handle is alive; the pointer is valid for its length.
            unsafe { put(handle, bytes.as_ptr().cast(), bytes.len()) == 0 }
        };
        let iv_is_set = || match case.mode {
            Mode::Ecb => true,
            Mode::Ctr => put(self.set_counter, &case.iv),
            _ => put(self.set_iv, &case.iv),
        };
        let lengths_are_set = || {
            let mut lengths = [text_len, case.aad.len(), TAG_LEN].map(|length| length as u64);
            let (data, size) = (lengths.as_mut_ptr().cast(), size_of_val(&lengths));
            // SAFETY: the handle is alive; CCM takes three numbers of 64 bits.
            unsafe { (self.control)(handle, SET_CCM_LENGTHS, data, size) == 0 }
        };
        put(self.set_key, &case.key)
            && iv_is_set()
            && (case.mode != Mode::Ccm || lengths_are_set())
            && (case.aad.is_empty() || put(self.authenticate, &case.aad))
    }

    fn cmac(&self, key: &[u8], message: &[u8]) -> Result<Vec<u8>> {
        let mut tag = vec![0; TAG_LEN];
        let mut length = TAG_LEN;
        // SAFETY: the handle is alive; pointers and lengths belong together.
        let done = unsafe {
            (self.mac_set_key)(self.mac, key.as_ptr().cast(), key.len()) == 0
                && (self.mac_control)(self.mac, RESET, ptr::null_mut(), 0) == 0
                && (self.mac_write)(self.mac, message.as_ptr().cast(), message.len()) == 0
                && (self.mac_read)(self.mac, tag.as_mut_ptr().cast(), &raw mut length) == 0
        };
        ensure!(done && length == TAG_LEN, "libgcrypt refuses CMAC");
        Ok(tag)
    }
}
