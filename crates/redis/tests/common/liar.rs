//! A proxy between client and server that replaces replies.

use std::{
    io::{BufRead, BufReader, Read, Result, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

/// A proxy that replaces the replies to some commands.
#[derive(Clone)]
pub struct Liar {
    pub port: u16,
    lie: Arc<Mutex<Lie>>,
}

type Edit = Box<dyn Fn(Vec<u8>) -> Vec<u8> + Send>;

#[derive(Default)]
struct Lie {
    /// The command whose replies are replaced, in capitals.
    command: &'static str,
    /// Computes the replacement from the server's reply.
    edit: Option<Edit>,
    /// How many more replies will be replaced.
    left: u32,
    /// How often the command was sent since the last [`Liar::say`] or [`Liar::edit`].
    count: u32,
}

impl Liar {
    pub fn new(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let lie = Arc::new(Mutex::new(Lie::default()));
        let shared = lie.clone();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else {
                    continue;
                };
                let lie = shared.clone();
                thread::spawn(move || answer(client, server, &lie));
            }
        });
        Self { port, lie }
    }

    /// Replaces the next `times` replies to this command by `reply`. The server still executes the
    /// command.
    pub fn say(&self, command: &'static str, reply: &[u8], times: u32) {
        let reply = reply.to_vec();
        self.edit(command, move |_| reply.clone(), times);
    }

    /// Replaces the next `times` replies to this command by the result of `edit` for the server's
    /// reply.
    pub fn edit(
        &self,
        command: &'static str,
        edit: impl Fn(Vec<u8>) -> Vec<u8> + Send + 'static,
        times: u32,
    ) {
        *self.lie.lock().unwrap() = Lie {
            command,
            edit: Some(Box::new(edit)),
            left: times,
            count: 0,
        };
    }

    /// How often the command of the last [`say`](Self::say) or [`edit`](Self::edit) was sent since.
    pub fn count(&self) -> u32 {
        self.lie.lock().unwrap().count
    }

    pub fn client(&self) -> redis::Client {
        redis::Client::open(format!("redis://127.0.0.1:{}", self.port)).unwrap()
    }
}

fn answer(client: TcpStream, server: TcpStream, lie: &Mutex<Lie>) -> Result<()> {
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let (mut to_client, mut to_server) = (client.try_clone()?, server.try_clone()?);
    let (mut client, mut server) = (BufReader::new(client), BufReader::new(server));
    loop {
        let said = message(&mut client)?;
        to_server.write_all(&said)?;
        let mut reply = message(&mut server)?;
        // The second line of a request is the length of its first word, the third line is the word.
        let word = said.split(|byte| *byte == b'\n').nth(2).unwrap_or_default();
        let word = word.trim_ascii().to_ascii_uppercase();
        let mut lie = lie.lock().unwrap();
        if word == lie.command.as_bytes() {
            lie.count += 1;
            if lie.left > 0 {
                lie.left -= 1;
                reply = lie.edit.as_ref().map_or(reply.clone(), |edit| edit(reply));
            }
        }
        drop(lie);
        to_client.write_all(&reply)?;
    }
}

/// Reads the bytes of one RESP2 message.
fn message(from: &mut BufReader<TcpStream>) -> Result<Vec<u8>> {
    let mut all = Vec::new();
    let mut wanted = 1u64;
    while wanted > 0 {
        wanted -= 1;
        let start = all.len();
        if from.read_until(b'\n', &mut all)? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        let count = || -> i64 {
            let text = all[start + 1..].trim_ascii();
            std::str::from_utf8(text).unwrap().parse().unwrap()
        };
        match all[start] {
            b'*' => wanted += count().max(0) as u64,
            b'$' => {
                let count = count();
                if count >= 0 {
                    from.take(count as u64 + 2).read_to_end(&mut all)?;
                }
            }
            _ => {}
        }
    }
    Ok(all)
}
