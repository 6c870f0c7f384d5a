//! Code for filters of this project.

use super::{Code, Dependency, SECRET, asked, is_stored, keys, number};
use crate::recommend::workload::Workload;
use bouquet_catalogue::{Facts, Snippet};

/// One of ours.
pub fn ours(own: &Facts, workload: &Workload, target_fpr: f64) -> Code {
    let [member, non_member] = keys(workload);
    let (dependencies, mut rust) = head(&own.snippet, workload);
    rust += "\nfn main() -> Result<(), Box<dyn std::error::Error>> {\n";
    rust += &making(own, workload, target_fpr);
    rust += &inserting(own, member);
    rust += &asked(non_member);
    if workload.deletes && own.removes {
        rust += &format!(
            "    // Only ever remove what was inserted.\n    assert!(filter.remove({member}));\n"
        );
        rust += &format!("    assert!(!filter.contains({member}));\n");
    }
    if is_stored(workload) {
        rust += &storing(&own.snippet, workload);
    }
    rust += "    Ok(())\n}\n";
    Code { dependencies, rust }
}

fn hasher(workload: &Workload) -> &'static str {
    if workload.hostile {
        "SipKeyed"
    } else {
        "Folded"
    }
}

fn made_with(workload: &Workload) -> &'static str {
    if workload.hostile {
        "SipKeyed::with_key(secret)"
    } else {
        "Folded::default()"
    }
}

/// Whether the default of the type will do, which is made without a hasher.
fn is_default(names: &Snippet, workload: &Workload) -> bool {
    names.is_default && !workload.hostile
}

/// The type as it is written.
fn written(names: &Snippet, workload: &Workload) -> String {
    match (is_default(names, workload), names.types().next()) {
        (true, Some(name)) => name.to_owned(),
        _ => names.full.replace('H', hasher(workload)),
    }
}

/// The crates that it takes, and what comes before `main`.
fn head(names: &Snippet, workload: &Workload) -> (Vec<Dependency>, String) {
    let mut imports = if is_default(names, workload) {
        names.types().take(1).collect()
    } else {
        let mut imports = vec![hasher(workload), "Spec"];
        imports.extend(names.types());
        imports
    };
    if is_stored(workload) && !is_default(names, workload) {
        imports.push("Decode");
    }
    imports.sort_unstable();
    let mut dependencies = vec![Dependency::Ours(names.package)];
    let imports = match &imports[..] {
        [one] => (*one).to_owned(),
        all => format!("{{{}}}", all.join(", ")),
    };
    let mut rust = format!("use bouquet_{}::{imports};\n", names.package);
    if let Some((package, inner)) = names.of {
        dependencies.push(Dependency::Ours(package));
        rust = format!("use bouquet_{package}::{inner};\n{rust}");
    }
    if workload.hostile {
        rust = format!("use std::{{fs::File, io::Read}};\n\n{rust}");
    }
    (dependencies, rust)
}

fn making(own: &Facts, workload: &Workload, target_fpr: f64) -> String {
    let mut rust = String::new();
    if workload.hostile {
        rust += SECRET;
    }
    let capacity = if own.grows {
        rust += "    // Room for these at first; it grows.\n";
        workload.capacity
    } else {
        workload.final_keys()
    };
    if workload.filters > 1 {
        rust += &format!("    // One of {}.\n", number(workload.filters));
    }
    let names = &own.snippet;
    let mutable = if own.concurrent { "" } else { "mut " };
    let name = names.types().next().unwrap_or_default();
    let (keys, written) = (number(capacity), written(names, workload));
    if is_default(names, workload) {
        return rust
            + &format!(
                "    // Keys, and the FPR not to be passed.\n    let {mutable}filter: {written} = \
                 {name}::new({keys}, {target_fpr:?})?;\n"
            );
    }
    rust + &format!(
        "    let spec = Spec::new({keys}, {target_fpr:?})?; // keys, and the FPR not to be passed\n    \
         let {mutable}filter: {written} = {name}::{}(spec, {})?;\n",
        names.constructor,
        made_with(workload)
    )
}

fn inserting(own: &Facts, member: &str) -> String {
    let inserted = if own.concurrent {
        format!(
            "    // Any number of threads insert through a shared reference.\n    \
             std::thread::scope(|scope| {{\n        scope.spawn(|| filter.insert({member}));\n    \
             }});\n"
        )
    } else {
        let rejected = if own.rejects { "?" } else { "" };
        format!("    filter.insert({member}){rejected};\n")
    };
    format!("{inserted}    assert!(filter.contains({member}));\n")
}

fn storing(names: &Snippet, workload: &Workload) -> String {
    let written = written(names, workload);
    let decoded = if workload.hostile {
        format!("Decode::decode_with(&bytes, {})", made_with(workload))
    } else if is_default(names, workload) {
        format!("{written}::from_bytes(&bytes)")
    } else {
        "Decode::decode(&bytes)".into()
    };
    format!(
        "    // Or `save` and `load`, by a file's name.\n    let bytes = filter.encode();\n    \
         let again: {written} = {decoded}?;\n    assert!(again == filter);\n"
    )
}
