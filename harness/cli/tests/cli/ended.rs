//! What is left when it is ended from outside.

use super::*;

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_what_was_there() {
    let folder = Folder::new("interrupt");
    let out = folder.path("report");
    let mut child = Command::new(env!("CARGO_BIN_EXE_bouquet"))
        .args(["evaluate", "--full", "--out", &out])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    // Wait until it is at work: its folder aside is there.
    while folder.names().is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert!(child.try_wait().unwrap().is_none(), "ended before it began");
    }
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(kill.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}
