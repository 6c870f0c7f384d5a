//! The documents that the gate writes, and the input that it rejects.

use super::*;

#[test]
fn each_wrong_input_has_its_own_message() {
    let project = Project::new("wrong");
    let rejects = |definition: &str, words: &str| {
        project.write("bouquet.toml", definition);
        let done = ends(&project, &ACCEPT, 2);
        assert!(done.contains(words), "{words}: {done}");
    };
    let sound = "[key_sets]\nk = { generator = \"uuid\" }\n[[filter]]\nfilter = \"standard\"\n\
                 capacity = 10\nfpr = 0.1\nkeys = \"k\"\n";
    rejects("capacity = 1", "no [[filter]]");
    rejects(&sound.replace("standard", "stanard"), "are \"standard\",");
    let no_file = sound.replace("{ generator = \"uuid\" }", "\"none.txt\"");
    rejects(&no_file, "none.txt");
}

/// The published JSON schema, in an independent validator.
pub struct Schema {
    schemas: boon::Schemas,
    index: boon::SchemaIndex,
}

impl Schema {
    pub fn published() -> Self {
        let text = include_str!("../../../../../docs/gate.schema.json");
        let mut compiler = boon::Compiler::new();
        let place = "https://bouquet.invalid/gate.schema.json";
        compiler
            .add_resource(place, serde_json::from_str(text).unwrap())
            .unwrap();
        let mut schemas = boon::Schemas::new();
        let index = compiler.compile(place, &mut schemas).unwrap();
        Self { schemas, index }
    }

    pub fn complaint(&self, document: &Value) -> Option<String> {
        let done = self.schemas.validate(document, self.index);
        done.err().map(|error| format!("{error:#}"))
    }
}

#[test]
fn documents_are_what_the_schema_says() {
    let project = Project::new("schema");
    let schema = Schema::published();
    project.define("standard");
    project.accept(&["--tiny"]);
    let valid = |file: &str| {
        let document: Value = serde_json::from_str(&project.read(file)).unwrap();
        assert_eq!(schema.complaint(&document), None, "{file}");
        document
    };
    valid("baseline/gate.json");
    valid("out/gate.json");
    project.define("fault-missing-key");
    project.gate(&["--tiny", "--seed", "2"]);
    let failed = valid("out/gate.json");
    let rows = failed["rows"].as_array().unwrap();
    let hits = rows
        .iter()
        .find(|row| row["what"] == "hit" && row["subject"] == "guarded");
    // Times are measured with a filter of default options, and the row says so.
    let setting = "ratio to the reference, for 4,096 keys of 59 bytes of the program's own, of a \
                   filter made by default";
    assert_eq!(hits.unwrap()["setting"], setting);
    // The schema must reject wrong documents.
    let broken = |at: &str, value: Value| {
        let mut document = failed.clone();
        *document.pointer_mut(at).unwrap() = value;
        assert!(schema.complaint(&document).is_some(), "{at}");
    };
    broken("/schema_version", json!(1));
    broken("/verdict/standing", json!("fine"));
    broken(
        "/rows/0/value",
        json!({"kind": "count", "count": -1, "unit": "bytes"}),
    );
    broken("/rows/0/tier", json!(null));
    broken("/run/seed", json!(1));
    broken("/keys/0/sha256", json!("abc"));
    broken("/rows/0", json!({}));
}

#[test]
fn formats_of_the_report() {
    let project = Project::new("formats");
    project.define("standard");
    project.accept(&WITHOUT_TIMES);
    project.define("fault-one-word-more");
    for (format, begins) in [
        ("json", "{\n  \"schema\": 1,\n  \"verdict\": \"fail\","),
        ("csv", "tier,subject,"),
        ("md", "### Fail: "),
        ("table", "✗ Fail: "),
    ] {
        let done = project.gate(&["--tiers", "exact", "--format", format]);
        assert!(said(&done).starts_with(begins), "{format}: {}", said(&done));
    }
    // The verdict comes first, then the changed rows; unchanged rows are in a folded section.
    let page = project.read("out/summary.md");
    let (shown, folded) = page.split_once("<details>").unwrap();
    assert!(shown.contains("8 bytes more"), "{page}");
    assert!(
        !shown.contains("stored bytes") && folded.contains("stored bytes"),
        "{page}"
    );
    let entries: Value = serde_json::from_str(&project.read("out/benchmark.json")).unwrap();
    let first = &entries.as_array().unwrap()[1];
    assert_eq!(first["name"], "guarded: memory");
    assert_eq!(first["unit"], "bytes");
    assert!(first["value"].is_u64());
}
