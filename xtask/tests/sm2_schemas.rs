//! The schemas of `testdata/sm2` describe its files, and nothing wider: whatever is taken away, added or changed in a file does not fit.
#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use jsonschema::{Draft, Registry, Validator};
use serde_json::{Map, Value, json};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/sm2")
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// The JSON files of a directory, by name.
fn files(directory: &Path) -> Vec<(String, Value)> {
    let entries = fs::read_dir(directory).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let json = paths.filter(|path| path.extension().is_some_and(|it| it == "json"));
    let named = |path: PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, read(&path))
    };
    json.map(named).collect()
}

/// A file of vectors with its schema.
struct Pair {
    name: String,
    file: Value,
    schema: Value,
    validator: Validator,
}

fn pairs() -> Vec<Pair> {
    let schemas = directory().join("schemas");
    let common = read(&schemas.join("common.json"));
    let registry = Registry::new().add("json-schema:///common.json", common);
    let registry = registry.unwrap().prepare().unwrap();
    let pair = |(name, file): (String, Value)| {
        let schema = read(&schemas.join(file["schema"].as_str().unwrap()));
        let options = jsonschema::options()
            .offline()
            .with_draft(Draft::Draft7)
            .with_registry(&registry);
        let validator = options.build(&schema).unwrap();
        Pair {
            name,
            file,
            schema,
            validator,
        }
    };
    files(&directory()).into_iter().map(pair).collect()
}

#[test]
fn every_schema_is_one_and_has_a_file() {
    let all = files(&directory().join("schemas"));
    for (name, schema) in &all {
        let result = jsonschema::meta::validate(schema);
        assert!(result.is_ok(), "{name}: {result:?}");
        assert_eq!(
            schema["$schema"], "http://json-schema.org/draft-07/schema#",
            "{name}"
        );
    }
    let names: BTreeSet<_> = all.into_iter().map(|(name, _)| name).collect();
    let mut used: BTreeSet<_> = pairs()
        .iter()
        .map(|pair| pair.file["schema"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(used.len(), 6);
    used.insert("common.json".to_owned());
    assert_eq!(names, used);
}

#[test]
fn every_file_fits_its_schema_and_no_other() {
    let pairs = pairs();
    for file in &pairs {
        for schema in &pairs {
            let faults: Vec<_> = schema
                .validator
                .iter_errors(&file.file)
                .map(|fault| format!("{}: {fault}", fault.instance_path()))
                .take(5)
                .collect();
            let same = file.name == schema.name;
            assert_eq!(
                faults.is_empty(),
                same,
                "{} by the schema of {}: {faults:#?}",
                file.name,
                schema.name
            );
        }
    }
}

#[test]
fn a_schema_names_the_flags_that_its_file_has() {
    for Pair {
        name, file, schema, ..
    } in pairs()
    {
        let groups = file["testGroups"].as_array().unwrap().iter();
        let tests = groups.flat_map(|group| group["tests"].as_array().unwrap());
        let flags = tests.flat_map(|test| test["flags"].as_array().unwrap());
        let used: BTreeSet<_> = flags.map(|flag| flag.as_str().unwrap()).collect();
        let named = schema["definitions"]["Flag"]["enum"].as_array().unwrap();
        let named: BTreeSet<_> = named.iter().map(|flag| flag.as_str().unwrap()).collect();
        assert_eq!(named, used, "{name}");
    }
}

/// The file with one test of each result in each group: as good, and quick to judge.
fn shortened(file: &Value) -> Value {
    let mut short = file.clone();
    for group in short["testGroups"].as_array_mut().unwrap() {
        let mut seen = BTreeSet::new();
        let tests = group["tests"].as_array_mut().unwrap();
        tests.retain(|test| seen.insert(test["result"].as_str().unwrap().to_owned()));
    }
    short
}

/// Fields that a file may lack.
const OPTIONAL: [&str; 3] = ["effect", "links", "cves"];
/// Text for people.
const FREE: [&str; 6] = [
    "comment",
    "description",
    "effect",
    "header",
    "name",
    "version",
];

/// The pointers to all values of a document, apart from the document itself.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    let mut each = |key: String, value: &Value| {
        let pointer = format!("{at}/{key}");
        found.push(pointer.clone());
        pointers(value, &pointer, found);
    };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(k, v)| each(k.clone(), v)),
        Value::Array(values) => (0..)
            .zip(values)
            .for_each(|(i, v): (usize, _)| each(i.to_string(), v)),
        _ => {}
    }
}

/// What this value must not be.
fn wrong_values(pointer: &str, value: &Value) -> Vec<Value> {
    let free = FREE
        .iter()
        .any(|name| pointer.split('/').any(|part| part == *name));
    let mut wrong = vec![Value::Null];
    match value {
        Value::String(text) => {
            wrong.extend([json!(7), json!([text])]);
            if !free {
                wrong.push(json!(format!("?{text}")));
                wrong.extend(text.get(1..).map(|rest| json!(rest)));
            }
        }
        Value::Number(number) => wrong.extend([json!(0), json!(-1), json!(number.to_string())]),
        Value::Array(_) => wrong.extend([json!([]), json!({}), json!("")]),
        Value::Object(fields) => {
            let mut more = fields.clone();
            more.insert("extra".to_owned(), json!("00"));
            wrong.extend([Value::Object(more), Value::Object(Map::new()), json!([])]);
        }
        other => panic!("no file has {other} at {pointer}"),
    }
    wrong
}

#[test]
fn a_broken_file_does_not_fit() {
    for Pair {
        name,
        file,
        validator,
        ..
    } in pairs()
    {
        let good = shortened(&file);
        assert!(validator.is_valid(&good), "{name}");
        let mut all = Vec::new();
        pointers(&good, "", &mut all);
        for pointer in &all {
            for wrong in wrong_values(pointer, good.pointer(pointer).unwrap()) {
                let mut bad = good.clone();
                *bad.pointer_mut(pointer).unwrap() = wrong.clone();
                assert!(!validator.is_valid(&bad), "{name}: {pointer} = {wrong}");
            }
            let (parent, key) = pointer.rsplit_once('/').unwrap();
            let mut bad = good.clone();
            let Some(Value::Object(fields)) = bad.pointer_mut(parent) else {
                continue;
            };
            if parent == "/notes" || OPTIONAL.contains(&key) {
                continue;
            }
            fields.remove(key);
            assert!(!validator.is_valid(&bad), "{name} without {pointer}");
        }
    }
}
