//! A crawler that never fetches a page twice and continues where it was stopped: a filter contains
//! the URLs that it has seen, and a checkpoint saves the filter together with the frontier.
//!
//! An adversary who makes pages can choose URLs that are false positives of the filter. Where that
//! matters, hash them with `SipKeyed` and a secret key.
//!
//! cargo run --example crawler
//!
//! The web consists of the URLs of `datasets/urls.txt`, each with eight links. Half-way the crawler
//! is dropped, and another one resumes from the files.

use std::{
    collections::{HashSet, VecDeque},
    env,
    error::Error,
    fs,
    path::{Path, PathBuf},
    process,
};

use bouquet::{Inspect, StandardBloom};

/// Number of links on a page.
const LINKS: usize = 8;

/// The pages that can be fetched, by number.
struct Web {
    urls: Vec<String>,
}

impl Web {
    fn read() -> Result<Self, Box<dyn Error>> {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../datasets/urls.txt");
        let urls = fs::read_to_string(path)?
            .lines()
            .map(str::to_owned)
            .collect();
        Ok(Self { urls })
    }

    /// The links of a page: to the next page, and to other pages.
    fn links(&self, page: usize) -> impl Iterator<Item = usize> {
        let pages = self.urls.len();
        (0..LINKS).map(move |link| match link {
            0 => (page + 1) % pages,
            _ => (page * 31 + link * link * 7_919) % pages,
        })
    }
}

/// The state of the crawl.
struct Crawler {
    seen: StandardBloom,
    frontier: VecDeque<usize>,
}

impl Crawler {
    fn start(web: &Web) -> Result<Self, Box<dyn Error>> {
        let mut seen = StandardBloom::new(web.urls.len(), 0.001)?;
        seen.insert(&web.urls[0]);
        Ok(Self {
            seen,
            frontier: VecDeque::from([0]),
        })
    }

    /// Fetches the next page and follows the links that were definitely not seen.
    fn step(&mut self, web: &Web, counts: &mut Counts) -> Option<()> {
        let page = self.frontier.pop_front()?;
        if !counts.fetched.insert(page) {
            counts.again += 1;
        }
        for link in web.links(page) {
            counts.links += 1;
            if self.seen.insert(&web.urls[link]) {
                self.frontier.push_back(link);
            } else {
                counts.skipped += 1;
            }
        }
        Some(())
    }

    /// Saves both files, each either completely or not at all, and the frontier first. A page that
    /// is in the filter but not in the frontier would never be fetched; in the opposite case it may
    /// be fetched twice.
    fn save(&self, folder: &Path) -> Result<(), Box<dyn Error>> {
        let frontier: Vec<String> = self.frontier.iter().map(usize::to_string).collect();
        fs::write(folder.join("frontier.new"), frontier.join("\n"))?;
        fs::rename(folder.join("frontier.new"), folder.join("frontier"))?;
        self.seen.save(folder.join("seen.bouquet"))?;
        Ok(())
    }

    fn resume(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let pages = fs::read_to_string(folder.join("frontier"))?;
        let frontier: Result<VecDeque<usize>, _> = pages.lines().map(str::parse).collect();
        Ok(Self {
            seen: StandardBloom::load(folder.join("seen.bouquet"))?,
            frontier: frontier?,
        })
    }
}

/// Exact counts, kept separately from the crawler.
#[derive(Default)]
struct Counts {
    fetched: HashSet<usize>,
    again: usize,
    links: usize,
    skipped: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let web = Web::read()?;
    let folder: PathBuf = env::temp_dir().join(format!("bouquet-crawler-{}", process::id()));
    fs::create_dir_all(&folder)?;
    let mut counts = Counts::default();

    let mut crawler = Crawler::start(&web)?;
    while counts.fetched.len() < web.urls.len() / 2 {
        if crawler.step(&web, &mut counts).is_none() {
            break;
        }
    }
    crawler.save(&folder)?;
    let checkpoint = fs::metadata(folder.join("seen.bouquet"))?.len();
    drop(crawler);
    println!(
        "stopped after {} pages: a checkpoint of {checkpoint} bytes",
        counts.fetched.len()
    );

    let mut crawler = Crawler::resume(&folder)?;
    fs::remove_dir_all(&folder)?;
    if let Some(page) = counts
        .fetched
        .iter()
        .find(|page| !crawler.seen.contains(&web.urls[**page]))
    {
        return Err(format!("{} was fetched and is forgotten", web.urls[*page]).into());
    }
    while crawler.step(&web, &mut counts).is_some() {}

    report(&web, &crawler, &counts)
}

fn report(web: &Web, crawler: &Crawler, counts: &Counts) -> Result<(), Box<dyn Error>> {
    let (pages, fetched) = (web.urls.len(), counts.fetched.len());
    let missed = pages - fetched;
    println!(
        "{} links, {} not followed again: so many fetches saved",
        counts.links, counts.skipped
    );
    println!(
        "{fetched} of {pages} pages fetched, {missed} missed by false positives (target 1 in 1000)"
    );
    let texts: usize = web.urls.iter().map(String::len).sum();
    println!(
        "{} bytes for what was seen; the URLs alone are {texts}",
        crawler.seen.memory_bytes()
    );
    if counts.again > 0 {
        return Err(format!("{} pages were fetched twice", counts.again).into());
    }
    // Several links lead to each page, so a false positive costs only that page, not those behind
    // it.
    if missed * 200 > pages {
        return Err(format!("{missed} of {pages} pages are missing").into());
    }
    Ok(())
}
