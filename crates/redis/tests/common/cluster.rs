//! Starts a real cluster of three masters.

use std::{
    process::{Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use redis::{Connection, cmd};

use super::Server;

pub struct Cluster {
    pub nodes: Vec<Server>,
}

impl Cluster {
    /// Starts the cluster. `None` if there is no Redis, or no `redis-cli` to create a cluster.
    pub fn start() -> Option<Self> {
        let has_cli = Command::new("redis-cli").arg("--version").output().is_ok();
        if !has_cli {
            eprintln!("SKIPPED: there is no redis-cli here: install redis-tools");
            return None;
        }
        let nodes = (0..3).map(|_| Self::node()).collect::<Option<Vec<_>>>()?;
        let cluster = Self { nodes };
        let addresses: Vec<String> = cluster.nodes.iter().map(address).collect();
        let mut create = vec!["--cluster", "create"];
        create.extend(addresses.iter().map(String::as_str));
        create.extend(["--cluster-replicas", "0", "--cluster-yes"]);
        cli(&create);
        cluster.wait();
        Some(cluster)
    }

    fn node() -> Option<Server> {
        Server::redis(&[
            "--cluster-enabled",
            "yes",
            "--cluster-node-timeout",
            "2000",
            "--appendonly",
            "no",
        ])
    }

    /// Waits until every node reports a healthy cluster and knows all other nodes.
    pub fn wait(&self) {
        let end = Instant::now() + Duration::from_secs(30);
        let count = format!("cluster_known_nodes:{}", self.nodes.len());
        let is_ready = |node: &Server| {
            let info = cmd("CLUSTER")
                .arg("INFO")
                .query::<String>(&mut node.connect());
            info.is_ok_and(|info| info.contains("cluster_state:ok") && info.contains(&count))
        };
        while !self.nodes.iter().all(is_ready) {
            assert!(Instant::now() < end, "the cluster did not come up");
            sleep(Duration::from_millis(50));
        }
    }

    /// Adds a replica of the node `master`.
    pub fn add_replica(&mut self, master: usize) {
        let replica = Self::node().unwrap();
        let mut meet = cmd("CLUSTER");
        meet.arg("MEET")
            .arg("127.0.0.1")
            .arg(self.nodes[master].port);
        meet.exec(&mut replica.connect()).unwrap();
        self.nodes.push(replica);
        self.wait();
        let id = self.id(master);
        let connection = &mut self.nodes[self.nodes.len() - 1].connect();
        let end = Instant::now() + Duration::from_secs(15);
        while cmd("CLUSTER")
            .arg("REPLICATE")
            .arg(&id)
            .exec(connection)
            .is_err()
        {
            assert!(Instant::now() < end, "the replica does not know its master");
            sleep(Duration::from_millis(50));
        }
        let is_linked = |connection: &mut Connection| {
            let info: String = cmd("INFO").arg("replication").query(connection).unwrap();
            info.contains("master_link_status:up")
        };
        while !is_linked(connection) {
            assert!(Instant::now() < end, "the replica does not follow");
            sleep(Duration::from_millis(50));
        }
    }

    pub fn id(&self, node: usize) -> String {
        let connection = &mut self.nodes[node].connect();
        cmd("CLUSTER").arg("MYID").query(connection).unwrap()
    }

    /// Moves slots from one node to another.
    pub fn reshard(&self, from: usize, to: usize, slots: u32) {
        let (slots, from, to) = (slots.to_string(), self.id(from), self.id(to));
        cli(&[
            "--cluster",
            "reshard",
            &address(&self.nodes[0]),
            "--cluster-from",
            &from,
            "--cluster-to",
            &to,
            "--cluster-slots",
            &slots,
            "--cluster-yes",
        ]);
    }

    /// The index of the node that has this key.
    pub fn owner(&self, key: &[u8]) -> usize {
        let has = |node: &Server| {
            let found = cmd("EXISTS").arg(key).query::<u32>(&mut node.connect());
            found.is_ok_and(|count| count == 1)
        };
        self.nodes.iter().position(has).unwrap()
    }

    pub fn urls(&self) -> Vec<String> {
        self.nodes.iter().map(Server::url).collect()
    }
}

fn address(node: &Server) -> String {
    format!("127.0.0.1:{}", node.port)
}

fn cli(args: &[&str]) {
    let mut command = Command::new("redis-cli");
    let done = command.args(args).stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{args:?}: {said}");
}
