//! Workloads that are met often, as a beginning: flags go before them.

use clap::ValueEnum;
use serde::Deserialize;

bouquet_ground::named! {
    /// A kind of workload.
    #[derive(Deserialize, ValueEnum)]
    #[serde(rename_all = "kebab-case")]
    pub enum UseCase {
        /// Made-up ids must not reach the database: an enemy asks.
        CacheGuard = "cache-guard",
        /// URLs that were fetched already; nobody knows how many there will be.
        Crawler = "crawler",
        /// URLs that are forbidden; few that are asked for are.
        Blocklist = "blocklist",
        /// Which user has seen which message: many small filters.
        SeenPerUser = "seen-per-user",
        /// Which file of a log-structured store may have the key.
        Sstable = "sstable",
        /// Which rows may find a partner in the other table.
        Join = "join",
    }
}

impl UseCase {
    /// What is taken for granted of it. The text is TOML, as a user would write
    /// it.
    pub fn toml(self) -> &'static str {
        match self {
            Self::CacheGuard => {
                "capacity = 1e6\nfpr = 0.01\nhits = 0.9\nwork-cost = \"same-dc-rpc\"\nhostile = \
                 true\nlookups-per-build = 1e8\n"
            }
            Self::Crawler => {
                "capacity = 1e6\nfpr = 0.001\ngrowth = \"unknown\"\nhits = 0.7\nwork-cost = \
                 \"ssd-read\"\npersist = true\nkey-kind = \"url\"\n"
            }
            Self::Blocklist => {
                "capacity = 1e6\nfpr = 0.001\nstatic = true\nhits = 0.001\nwork-cost = \
                 \"cross-region-rpc\"\npersist = true\nkey-kind = \"url\"\nlookups-per-build = \
                 1e7\n"
            }
            Self::SeenPerUser => {
                "capacity = 1_000\nfilters-count = 100_000\nfpr = 0.001\nhits = 0.5\nwork-cost = \
                 \"same-dc-rpc\"\npersist = true\n"
            }
            Self::Sstable => {
                "capacity = 1e6\nfpr = 0.01\nstatic = true\nhits = 0.1\nwork-cost = \
                 \"ssd-read\"\npersist = true\n"
            }
            Self::Join => {
                "capacity = 1e6\nbits-per-key = 16\nstatic = true\nhits = 0.1\nwork-cost = \
                 \"l3-miss\"\nlookups-per-build = 1e7\n"
            }
        }
    }
}
