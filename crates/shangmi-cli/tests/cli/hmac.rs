//! `shangmi hmac`.

use crate::support::Sandbox;

const MESSAGE: &str = "what do ya want for nothing?";
const MAC: &str = "2e87f1d16862e6d964b50a5200bf2b10b764faa9680a296a2405f24bec39f882";

#[test]
fn every_way_to_give_the_key() {
    let sandbox = Sandbox::new();
    sandbox.write("key", "Jefe");
    sandbox.write("message", MESSAGE);
    let variables = [("HEX", "4a656665"), ("TEXT", "Jefe")];
    for args in [
        &["--key-file", "key"][..],
        &["--key-env", "HEX"],
        &["--key-text-env", "TEXT"],
    ] {
        let run = sandbox
            .run_with_env(&variables, &[&["hmac"], args, &["message"]].concat())
            .ok();
        assert_eq!(run.stderr, "");
        run.prints(&format!("{MAC}  message\n"));
    }
    let run = sandbox
        .run(&["hmac", "--key-hex", "4A656665", "message"])
        .ok();
    run.says("warning: other users can see")
        .prints(&format!("{MAC}  message\n"));
}

#[test]
fn standard_input_and_json() {
    let sandbox = Sandbox::new();
    let args = ["hmac", "--key-hex", "4a656665"];
    sandbox
        .run_with_input(MESSAGE, &args)
        .ok()
        .prints(&format!("{MAC}  -\n"));
    let json = sandbox
        .run_with_input(MESSAGE, &[&args[..], &["--json"]].concat())
        .ok()
        .json();
    assert_eq!(json["files"][0]["hmac_sm3"], MAC);
    assert_eq!(json["files"][0]["bytes"], MESSAGE.len());
}

#[test]
fn verify_answers_by_exit_status() {
    let sandbox = Sandbox::new();
    sandbox.write("message", MESSAGE);
    let verify = |mac: &str| {
        sandbox.run_with_env(
            &[("K", "4a656665")],
            &["hmac", "--key-env", "K", "--verify", mac, "message"],
        )
    };
    verify(MAC).ok().prints("message: OK\n");
    verify(&MAC.to_uppercase()).ok();
    verify(&MAC.replace('2', "3"))
        .fails(1)
        .says("does not match");
    verify(&MAC[..62])
        .fails(2)
        .says("must be 32 bytes, found 31");
    verify("").fails(2);
    let args = [
        "hmac",
        "--json",
        "--key-env",
        "K",
        "--verify",
        MAC,
        "message",
    ];
    let run = sandbox.run_with_env(&[("K", "00")], &args).fails(1);
    assert_eq!(run.json()["valid"], false);
}

#[test]
fn keys_that_are_no_keys() {
    let sandbox = Sandbox::new();
    sandbox.write("empty", "");
    sandbox.write("message", MESSAGE);
    sandbox.write("hex", "000102030405060708090a0b0c0d0e0f\n");
    let variables = [("ODD", "abc"), ("BAD", "0x12"), ("NONE", "")];
    for (args, says) in [
        (["--key-env", "ODD"], "3 hex digits, an odd number"),
        (["--key-env", "BAD"], "character 2 is not a hex digit"),
        (["--key-env", "NONE"], "the key is empty"),
        (["--key-env", "UNSET_VARIABLE"], "is not set"),
        (["--key-text-env", "NONE"], "the key is empty"),
        (["--key-file", "empty"], "is empty"),
        (["--key-file", "missing"], "No such file"),
        (["--key-file", "."], "is a directory"),
    ] {
        let args = [&["hmac"][..], &args, &["message"]].concat();
        sandbox.run_with_env(&variables, &args).fails(2).says(says);
    }
    sandbox
        .run(&["hmac", "--key-file", "hex", "message"])
        .ok()
        .says("33 bytes are used as they are");
}
