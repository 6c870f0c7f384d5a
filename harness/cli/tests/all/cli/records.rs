//! Records that are read again: whole, in part, damaged.

use super::*;

#[test]
fn forged_records_are_rejected() {
    let folder = Folder::new("forged");
    let define = folder.file("tiny.toml", TINY);
    let out = folder.path("report");
    assert_eq!(
        bouquet(&["evaluate", "--define", &define, "--out", &out])
            .status
            .code(),
        Some(0)
    );
    let run = Path::new(&out).join("records/run.csv");
    let text = fs::read_to_string(&run).unwrap();
    let forged = text.replace("schema_version,", "schema_version,99");
    fs::write(&run, forged).unwrap();
    rejects(&["report", &out], &["schema version", "99"]);
    // Of an evaluation, in which it was otherwise.
    let before = text.replace("schema_version,4", "schema_version,3");
    fs::write(&run, &before).unwrap();
    let words = ["schema version \"3\"", "the program of revision"];
    rejects(&["report", &out], &words);
    fs::write(&run, text).unwrap();
    let fpr = Path::new(&out).join("records/fpr.csv");
    let text = fs::read_to_string(&fpr).unwrap();
    fs::write(&fpr, text.replace(",1000,", ",many,")).unwrap();
    rejects(&["report", &out], &["fpr.csv: line 2: column "]);
}

/// The records with one column of a file made this in its first row.
fn forge(records: &Path, file: &str, column: &str, value: &str) {
    let path = records.join(file);
    let mut reader = csv::Reader::from_path(&path).unwrap();
    let names = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let mut writer = csv::Writer::from_path(&path).unwrap();
    writer.write_record(&names).unwrap();
    for (number, row) in rows.iter().enumerate() {
        let cells = names.iter().zip(row);
        let forged = cells.map(|(name, cell)| match number == 0 && name == column {
            true => value,
            false => cell,
        });
        writer.write_record(forged).unwrap();
    }
    writer.flush().unwrap();
}

#[test]
fn an_index_replaces_nothing_but_an_index() {
    let folder = Folder::new("index");
    let define = folder.file("tiny.toml", TINY);
    let run = bouquet(&["evaluate", "--define", &define, "--out", &folder.path("a")]);
    assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
    let root = folder.path(".");
    let page = Path::new(&root).join("index.html");
    let index = || bouquet(&["report", "--index", &root]).status.code();
    for words in [&b"<html>Gr\xfc\xdfe</html>"[..], b"<html></html>", b""] {
        fs::write(&page, words).unwrap();
        rejects(
            &["report", "--index", &root],
            &["index.html was not written"],
        );
        assert_eq!(fs::read(&page).unwrap(), words);
    }
    fs::remove_file(&page).unwrap();
    assert_eq!([index(), index()], [Some(0), Some(0)]);
}

/// Everything in a folder, with its bytes.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            let inside = contents(&path);
            found.extend(inside.into_iter().map(|(k, v)| (format!("{name}/{k}"), v)));
        } else {
            found.insert(name, fs::read(&path).unwrap());
        }
    }
    found
}

/// The files of records in a report, as a shell would give them.
fn record_files(report: &str) -> Vec<String> {
    let folder = Path::new(report).join("records");
    let names = fs::read_dir(folder).unwrap();
    let mut paths: Vec<String> = names
        .map(|entry| entry.unwrap().path().display().to_string())
        .collect();
    paths.sort();
    paths
}

#[test]
fn records_alone_give_the_same_report() {
    let folder = Folder::new("again");
    let define = folder.file("tiny.toml", TINY);
    let evaluated = folder.path("evaluated");
    let run = bouquet(&["evaluate", "--define", &define, "--out", &evaluated]);
    assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
    let even = folder.path("even");
    let narrow = [
        "uniformity",
        "--quick",
        "--schemes",
        "go-zero",
        "--datasets",
        "uuid",
    ];
    let run_even = bouquet(&[&narrow[..], &["--out", &even]].concat());
    assert_eq!(run_even.status.code(), Some(0), "{}", stderr(&run_even));
    for (report, said) in [(&evaluated, stdout(&run)), (&even, stdout(&run_even))] {
        let whole = contents(Path::new(report));
        assert!(whole.contains_key("index.html") && whole.contains_key("README.md"));
        let files = record_files(report);
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let records = format!("{report}/records");
        let again = folder.path("again");
        for from in [&[report.as_str()][..], &[records.as_str()], &files] {
            let elsewhere = bouquet(&[&["report"], from, &["--out", &again]].concat());
            assert_eq!(stdout(&elsewhere), said);
            assert!(contents(Path::new(&again)) == whole, "{from:?}");
            let in_place = bouquet(&[&["report"], from].concat());
            assert_eq!(in_place.status.code(), Some(0), "{}", stderr(&in_place));
            assert!(contents(Path::new(report)) == whole, "{from:?}");
        }
    }
}

#[test]
fn some_of_the_records_are_no_report() {
    let folder = Folder::new("some");
    let define = folder.file("tiny.toml", TINY);
    let report = folder.path("report");
    let run = bouquet(&["evaluate", "--define", &define, "--out", &report]);
    assert_eq!(run.status.code(), Some(0));
    let before = contents(Path::new(&report));
    let files = record_files(&report);
    let some: Vec<&str> = files
        .iter()
        .map(String::as_str)
        .filter(|path| !path.ends_with("fpr.csv"))
        .collect();
    rejects(&[&["report"], &some[..]].concat(), &["fpr.csv is missing"]);
    let twice = [files[0].as_str(), files[0].as_str()];
    rejects(
        &[&["report"], &twice[..]].concat(),
        &["duplicate file name; every input needs its own"],
    );
    rejects(&["report", &files[0], &report], &["is no file"]);
    let within = format!("{report}/within");
    let words = ["is in the report", "beside it"];
    rejects(&["report", &report, "--out", &within], &words);
    rejects(
        &["report", &report, "--out", &format!("{report}/records")],
        &words,
    );
    assert!(!Path::new(&within).exists());
    rejects(
        &["compare", &report, &report, "--out", &within],
        &["or in it"],
    );
    // All that is read, but not all that is there: nothing may go missing.
    let notes = Path::new(&report).join("records/notes.csv");
    fs::write(&notes, "kept").unwrap();
    let all: Vec<&str> = files.iter().map(String::as_str).collect();
    rejects(&[&["report"], &all[..]].concat(), &["--out"]);
    assert_eq!(fs::read_to_string(&notes).unwrap(), "kept");
    fs::remove_file(&notes).unwrap();
    assert!(contents(Path::new(&report)) == before);
}

#[test]
fn missing_rows_are_seen() {
    let folder = Folder::new("missing");
    let define = folder.file("tiny.toml", TINY);
    let report = folder.path("report");
    let run = bouquet(&["evaluate", "--define", &define, "--out", &report]);
    assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
    let fpr = Path::new(&report).join("records/fpr.csv");
    let whole = fs::read_to_string(&fpr).unwrap();
    let rows = whole.lines().count() - 1;
    let cut = |keep: usize| -> String {
        let lines = whole.lines().take(keep);
        lines.map(|line| format!("{line}\n")).collect()
    };
    for keep in [rows, 1] {
        fs::write(&fpr, cut(keep)).unwrap();
        let (found, wrote) = (keep - 1, rows);
        let words = format!("{found} rows, the run wrote {wrote}");
        rejects(&["report", &report], &["fpr.csv", &words]);
    }
    fs::write(&fpr, whole.clone() + whole.lines().last().unwrap()).unwrap();
    rejects(&["report", &report], &[&format!("the run wrote {rows}")]);
    fs::write(&fpr, &whole).unwrap();
    assert_eq!(bouquet(&["report", &report]).status.code(), Some(0));
    // Of a kind that not every run has.
    fs::remove_file(Path::new(&report).join("records/churn.csv")).unwrap();
    rejects(&["report", &report], &["churn.csv is missing"]);
}

#[test]
fn a_false_negative_in_the_records_is_exit_code_1() {
    let folder = Folder::new("false-negatives");
    let define = folder.file("tiny.toml", TINY);
    let out = folder.path("report");
    let args = [
        "evaluate",
        "--define",
        &define,
        "--out",
        &out,
        "--filters",
        "standard",
    ];
    assert_eq!(bouquet(&args).status.code(), Some(0));
    forge(
        &Path::new(&out).join("records"),
        "fpr.csv",
        "false_negatives",
        "1",
    );
    let output = bouquet(&["report", &out]);
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    assert!(
        stdout(&output).contains("false negatives"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn a_key_set_asked_for_by_name_is_used() {
    let folder = Folder::new("named");
    let define = folder.file("tiny.toml", TINY);
    let out = folder.path("report");
    let args = [
        "evaluate",
        "--define",
        &define,
        "--datasets",
        "uuid",
        "--out",
        &out,
    ];
    assert_eq!(bouquet(&args).status.code(), Some(0));
    let rows = fs::read_to_string(Path::new(&out).join("records/fpr.csv")).unwrap();
    assert!(
        rows.contains(",uuid,") && !rows.contains(",sequential,"),
        "{rows}"
    );
}
