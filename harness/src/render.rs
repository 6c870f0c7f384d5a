//! stub
use crate::record::Records;
use anyhow::Result;
use std::path::Path;
#[derive(Clone, Copy, Debug)]
pub enum Verdict {
    Pass,
    Fail,
    Void,
    Inconclusive,
}
pub fn write_report(_r: &Records, _p: &Path) -> Result<Verdict> {
    Ok(Verdict::Pass)
}
pub fn summary(_r: &Records, _c: bool) -> (Verdict, String) {
    (Verdict::Pass, "stub\n".into())
}
pub fn headline_table(_r: &Records) -> String {
    String::new()
}
pub fn glance_json(_r: &Records) -> String {
    String::new()
}
pub fn glance_csv(_r: &Records) -> String {
    String::new()
}
