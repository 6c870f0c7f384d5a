#!/usr/bin/env python3
"""Reads filters in the Bouquet format: the example for docs/FORMAT.md.

    reader.py FILE                 checks the file and prints its header
    reader.py FILE --ask <KEYS     a line of 0 and 1: may the filter contain the key of each line?
    reader.py FILE --key HEX ...   with the secret key of the hasher

Nothing but the standard library. Slow, and meant to be read.
"""

import argparse
import struct
import sys

M64 = (1 << 64) - 1
GOLDEN = 0x9e3779b97f4a7c15
HEADER = struct.Struct("<8sHHHHQQd5QQQQQQQ")  # 128 bytes
VARIANTS = {1: "standard", 2: "counting", 3: "partitioned", 4: "blocked",
            5: "scalable", 6: "sharded", 7: "cuckoo", 8: "stage",
            9: "fuse", 10: "aging"}


# The file: header, payload, checksum.

class Record:
    """A header with its payload: a whole filter, or a part of one."""

    def __init__(self, data, at):
        if len(data) < at + 128:
            raise ValueError(f"byte {len(data)}: a header needs 128 bytes")
        (magic, version, self.variant, self.hasher, flags, self.seed, self.capacity,
         self.target_fpr, p0, p1, p2, p3, p4, self.keys, self.parts, size, r0, r1,
         checksum) = HEADER.unpack_from(data, at)
        self.parameters = [p0, p1, p2, p3, p4]
        self.keyed = flags == 1
        if magic != b"\x89BQT\r\n\x1a\n":
            raise ValueError(f"byte {at}: not a Bouquet file: no signature")
        if version != 1:
            raise ValueError(f"byte {at + 8}: unknown version {version}")
        if checksum != xxh3_64(data[at:at + 120]):
            raise ValueError(f"byte {at + 120}: the header is damaged")
        if flags > 1 or r0 or r1:
            raise ValueError(f"byte {at}: a field that must be 0 is set")
        self.end = at + 128 + size
        if self.end > len(data):
            raise ValueError(f"byte {len(data)}: the payload needs {self.end} bytes")
        self.payload = data[at + 128:self.end]
        self.inner = []
        at += 128
        for _ in range(self.parts):
            part = Record(data[:self.end], at)
            self.inner.append(part)
            at = part.end
        if self.parts and at != self.end:
            raise ValueError(f"byte {at}: the parts do not fill the payload")

    def word(self, i):
        word = self.payload[8 * i:8 * i + 8]
        return int.from_bytes(word, "little")

    def bit(self, i):
        return self.payload[i // 8] >> (i % 8) & 1


def read(data):
    record = Record(data[:-8], 0)
    if record.end != len(data) - 8:
        raise ValueError(f"byte {record.end}: {len(data)} bytes are too many")
    if int.from_bytes(data[-8:], "little") != xxh3_64(data[:-8]):
        raise ValueError(f"byte {record.end}: the file is damaged")
    return record


# Membership: from a hash (place, probe) to an answer.

def split(place, n):
    """One of n places, and the rest of the word."""
    return place * n >> 64, place * n & M64


def rotl(x, n):
    return (x << n | x >> (64 - n)) & M64


def probes(place, probe, k):
    """The words of the k probes."""
    for _ in range(k):
        yield probe
        probe = rotl((probe + place) & M64, 23)
        place = rotl(place, 13)


def standard(record, place, probe):
    m, k = record.parameters[:2]
    return all(record.bit(word * m >> 64) for word in probes(place, probe, k))


def counting(record, place, probe):
    m, k, width = record.parameters[:3]

    def counter(i):
        return record.word(i * width // 64) >> (i * width % 64) & (1 << width) - 1
    return all(counter(word * m >> 64) for word in probes(place, probe, k))


def partitioned(record, place, probe):
    s, k = record.parameters[:2]
    words = enumerate(probes(place, probe, k))
    return all(record.bit(i * s + (word * s >> 64)) for i, word in words)


def blocked(record, place, probe):
    blocks, layout, k = record.parameters[:3]
    block, _ = split(place, blocks)
    if layout == 1:
        slots = [512 * block + 64 * i + (probe >> 6 * i) % 64 for i in range(8)]
    elif layout == 2:
        slots = [256 * block + 32 * i + (probe >> 5 * i) % 32 for i in range(8)]
    elif layout == 3:
        slots = []
        while len(slots) < k:
            slots += [512 * block + (probe >> 9 * i) % 512 for i in range(7)]
            probe = splitmix(probe)
        slots = slots[:k]
    else:
        raise ValueError(f"unknown layout {layout}")
    return all(record.bit(slot) for slot in slots)


def splitmix(x):
    x = (x + 0x9e3779b97f4a7c15) & M64
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9 & M64
    x = (x ^ x >> 27) * 0x94d049bb133111eb & M64
    return x ^ x >> 31


def cuckoo(record, place, probe):
    buckets, width, beside, beside_bucket = record.parameters[:4]
    most = (1 << width) - 1
    fingerprint = 1 + (probe * most >> 64)
    first, _ = split(place, buckets)
    total = remix(fingerprint) * buckets >> 64
    if buckets % 2 == 0:
        total |= 1
    second = (total - first) % buckets

    def has(bucket):
        bit = 4 * width * bucket
        both = record.word(bit // 64) | record.word(bit // 64 + 1) << 64
        slots = [both >> (bit % 64 + width * i) & most for i in range(4)]
        return fingerprint in slots
    is_beside = beside == fingerprint and beside_bucket in (first, second)
    return has(first) or has(second) or is_beside


def fuse(record, place, probe):
    parts, segments, length, width = record.parameters[:4]
    if parts == 0:
        return False
    part = probe * parts >> 64
    attempt = record.payload[parts * segments * length * width // 8 + part]
    word = probe
    if attempt > 0:
        below = M64 // parts
        mixed = fold(probe ^ attempt * GOLDEN & M64, 0xff51afd7ed558ccd)
        word = probe & ~below | mixed & below
    first = (word * parts * (segments - 2) * length >> 64) + part * 2 * length
    second = first + length ^ (word >> 18) % length
    third = first + 2 * length ^ word % length
    found = 0
    for slot in first, second, third:
        bit = width * slot
        found ^= int.from_bytes(record.payload[bit // 8:bit // 8 + 5], "little") >> bit % 8
    return (found ^ word ^ word >> 32) % (1 << width) == 0


def aging(record, place, probe):
    k, l = record.parameters[0] & 0xffffffff, record.parameters[0] >> 32
    bits, newest = record.parameters[1:3]
    run = 0
    for age in range(k + l):
        i = (newest + age) % (k + l)
        word = fold(probe ^ (i + 1) * GOLDEN & M64, place | 1)
        run = run + 1 if record.bit(i * bits + (word * bits >> 64)) else 0
        if run == k:
            return True
    return False


def sharded(record, place, probe):
    shard, place = split(place, record.parts)
    return contains(record.inner[shard], place, probe)


def any_part(record, place, probe):
    return any(contains(part, place, probe) for part in record.inner)


def contains(record, place, probe):
    kinds = {1: standard, 2: counting, 3: partitioned, 4: blocked, 5: any_part,
             6: sharded, 7: cuckoo, 8: any_part, 9: fuse, 10: aging}
    return kinds[record.variant](record, place, probe)


# Hashing: from a key to (place, probe).

def remix(word):
    x = word ^ 0x9e3779b97f4a7c15
    x = (x ^ x >> 33) * 0xff51afd7ed558ccd & M64
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53 & M64
    return x ^ x >> 33


def hash_key(record, key, secret=None):
    if record.hasher == 1:
        word = xxh3_64(key, record.seed)
    elif record.hasher == 2:
        return xxh3_128(key, record.seed)
    elif record.hasher == 4:
        return folded(key, record.seed)
    elif record.hasher == 3:
        if secret is None:
            raise ValueError("the hasher has a secret key: supply it with --key")
        if siphash(b"bouquet key check", secret, 2, 4) != record.seed:
            raise ValueError("byte 16: the key is not the filter's")
        word = siphash(key, secret, 1, 3)
    else:
        raise ValueError(f"byte 12: hasher {record.hasher} is not in this example")
    return word, remix(word)


FOLDED_C = (0xa4093822299f31d1, 0xc0ac29b7c97c50dd, 0x3f84d5b5b5470917, 0x9216d5d98979fb1b)
FOLDED_D = (0x082efa98ec4e6c89, 0xd1310ba698dfb5ac, 0x2ffd72dbd01adfb7, 0xb8e1afed6a267e96)


def folded(key, seed):
    def word(at):
        return int.from_bytes(key[at:at + 8], "little")
    n = len(key)
    length = n * GOLDEN & M64
    if n > 16:
        lanes, at = [seed ^ d for d in FOLDED_D], 0
        while n - at > 64:
            lanes = [fold(word(at + 16 * i) ^ FOLDED_C[i], word(at + 16 * i + 8) ^ lanes[i])
                     for i in range(4)]
            at += 64
        ends = (16, min(32, n), n) if n <= 48 else (16, 32, 48, n) if n <= 64 else \
            (n - 48, n - 32, n - 16, n)
        f = length
        for c, lane, end in zip(FOLDED_C, lanes, ends):
            f ^= fold(word(end - 16) ^ c, word(end - 8) ^ lane)
    else:
        if n > 3:
            u = word(0) if n > 8 else u32(key, 0) | u32(key, n - 4) << 32
        else:
            u = key[0] | key[n // 2] << 8 | key[-1] << 16 if n > 0 else 0
        v = word(n - 8) if n > 8 else u
        f = fold(u ^ seed ^ 0x243f6a8885a308d3, v + (0xbe5466cf34e90c6d ^ length) & M64)
    product = (f ^ 0x452821e638d01377 ^ rotl(seed, 32)) * 0xff51afd7ed558ccd
    high, low = product >> 64, product & M64
    return high ^ low, high ^ rotl(low, 23)


def siphash(data, secret, rounds, last_rounds):
    k0, k1 = struct.unpack("<QQ", secret)
    v = [k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d,
         k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573]

    def turn(times):
        for _ in range(times):
            v[0] = (v[0] + v[1]) & M64
            v[1] = rotl(v[1], 13) ^ v[0]
            v[0] = rotl(v[0], 32)
            v[2] = (v[2] + v[3]) & M64
            v[3] = rotl(v[3], 16) ^ v[2]
            v[0] = (v[0] + v[3]) & M64
            v[3] = rotl(v[3], 21) ^ v[0]
            v[2] = (v[2] + v[1]) & M64
            v[1] = rotl(v[1], 17) ^ v[2]
            v[2] = rotl(v[2], 32)
    padded = data + bytes(7 - len(data) % 8) + bytes([len(data) % 256])
    for (word,) in struct.iter_unpack("<Q", padded):
        v[3] ^= word
        turn(rounds)
        v[0] ^= word
    v[2] ^= 0xff
    turn(last_rounds)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


# XXH3 in 64 and in 128 bits, from the xxHash specification. In production use a library.

P32 = [0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D]
P64 = [0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9,
       0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5]
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578"
    "825ad07dccff7221b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea3"
    "71644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931"
    "c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
    "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)


def u32(data, at):
    return int.from_bytes(data[at:at + 4], "little")


def u64(data, at):
    return int.from_bytes(data[at:at + 8], "little")


def fold(a, b):
    product = (a & M64) * (b & M64)
    return (product ^ product >> 64) & M64


def avalanche(h):
    h = (h ^ h >> 37) * 0x165667919E3779F9 & M64
    return h ^ h >> 32


def old_avalanche(h):
    h = (h ^ h >> 33) * P64[1] & M64
    h = (h ^ h >> 29) * P64[2] & M64
    return h ^ h >> 32


def xxh3_64(data, seed=0):
    n = len(data)
    if n <= 16:
        return short(data, n, seed)
    if n <= 240:
        return medium(data, n, seed)
    return long(data, n, seed)


def short(data, n, seed):
    s = SECRET
    if n == 0:
        return old_avalanche(seed ^ u64(s, 56) ^ u64(s, 64))
    if n <= 3:
        mixed = data[0] << 16 | data[n // 2] << 24 | data[n - 1] | n << 8
        return old_avalanche(mixed ^ (u32(s, 0) ^ u32(s, 4)) + seed & M64)
    if n <= 8:
        seed ^= int.from_bytes((seed & 0xffffffff).to_bytes(4, "big"), "little") << 32
        h = u32(data, n - 4) + (u32(data, 0) << 32)
        h ^= (u64(s, 8) ^ u64(s, 16)) - seed & M64
        h ^= rotl(h, 49) ^ rotl(h, 24)
        h = h * 0x9FB21C651E98DF25 & M64
        h ^= (h >> 35) + n
        h = h * 0x9FB21C651E98DF25 & M64
        return h ^ h >> 28
    low = u64(data, 0) ^ (u64(s, 24) ^ u64(s, 32)) + seed & M64
    high = u64(data, n - 8) ^ (u64(s, 40) ^ u64(s, 48)) - seed & M64
    swapped = int.from_bytes(low.to_bytes(8, "little"), "big")
    return avalanche(n + swapped + high + fold(low, high) & M64)


def medium(data, n, seed):
    def mix(at, secret):
        low = u64(data, at) ^ u64(SECRET, secret) + seed & M64
        high = u64(data, at + 8) ^ u64(SECRET, secret + 8) - seed & M64
        return fold(low, high)
    h = n * P64[0]
    if n <= 128:
        for i in range((n - 1) // 32 + 1):
            h += mix(16 * i, 32 * i) + mix(n - 16 * (i + 1), 32 * i + 16)
        return avalanche(h & M64)
    h = avalanche(h + sum(mix(16 * i, 16 * i) for i in range(8)) & M64)
    h += sum(mix(16 * i, 16 * (i - 8) + 3) for i in range(8, n // 16))
    return avalanche(h + mix(n - 16, 136 - 17) & M64)


def long(data, n, seed):
    acc, s = accumulated(data, n, seed)
    return merged(acc, s, 11, n * P64[0])


def accumulated(data, n, seed):
    s = SECRET
    if seed:
        pairs = range(0, 192, 16)
        s = b"".join(struct.pack("<QQ", u64(s, i) + seed & M64, u64(s, i + 8) - seed & M64)
                     for i in pairs)
    acc = [P32[2], P64[0], P64[1], P64[2], P64[3], P32[1], P64[4], P32[0]]

    def accumulate(at, secret):
        for i in range(8):
            value = u64(data, at + 8 * i)
            key = value ^ u64(s, secret + 8 * i)
            acc[i ^ 1] = acc[i ^ 1] + value & M64
            acc[i] = acc[i] + (key & 0xffffffff) * (key >> 32) & M64
    for stripe in range((n - 1) // 64):
        accumulate(64 * stripe, 8 * (stripe % 16))
        if stripe % 16 == 15:
            for i in range(8):
                acc[i] = (acc[i] ^ acc[i] >> 47 ^ u64(s, 128 + 8 * i)) * P32[0] & M64
    accumulate(n - 64, 192 - 64 - 7)
    return acc, s


def merged(acc, s, at, h):
    for i in range(4):
        h += fold(acc[2 * i] ^ u64(s, at + 16 * i), acc[2 * i + 1] ^ u64(s, at + 8 + 16 * i))
    return avalanche(h & M64)


def xxh3_128(data, seed=0):
    """The high word and the low one."""
    n = len(data)
    if n <= 16:
        return short_128(data, n, seed)
    if n <= 240:
        return medium_128(data, n, seed)
    acc, s = accumulated(data, n, seed)
    low = merged(acc, s, 11, n * P64[0])
    high = merged(acc, s, 192 - 64 - 11, ~(n * P64[1]) & M64)
    return high, low


def short_128(data, n, seed):
    s = SECRET
    if n == 0:
        high = old_avalanche(seed ^ u64(s, 80) ^ u64(s, 88))
        return high, old_avalanche(seed ^ u64(s, 64) ^ u64(s, 72))
    if n <= 3:
        mixed = data[0] << 16 | data[n // 2] << 24 | data[n - 1] | n << 8
        swapped = int.from_bytes(mixed.to_bytes(4, "little"), "big")
        turned = (swapped << 13 | swapped >> 19) & 0xffffffff
        high = old_avalanche(turned ^ (u32(s, 8) ^ u32(s, 12)) - seed & M64)
        return high, old_avalanche(mixed ^ (u32(s, 0) ^ u32(s, 4)) + seed & M64)
    if n <= 8:
        seed ^= int.from_bytes((seed & 0xffffffff).to_bytes(4, "big"), "little") << 32
        word = u32(data, 0) + (u32(data, n - 4) << 32)
        word ^= (u64(s, 16) ^ u64(s, 24)) + seed & M64
        product = word * (P64[0] + (n << 2) & M64)
        low, high = product & M64, product >> 64
        high = high + (low << 1) & M64
        low ^= high >> 3
        low = (low ^ low >> 35) * 0x9FB21C651E98DF25 & M64
        return avalanche(high), low ^ low >> 28
    first, last = u64(data, 0), u64(data, n - 8)
    product = (first ^ last ^ (u64(s, 32) ^ u64(s, 40)) - seed & M64) * P64[0]
    low, high = (product & M64) + (n - 1 << 54) & M64, product >> 64
    last ^= (u64(s, 48) ^ u64(s, 56)) + seed & M64
    high = high + last + (last & 0xffffffff) * (P32[1] - 1) & M64
    low ^= int.from_bytes(high.to_bytes(8, "little"), "big")
    product = low * P64[1]
    high = (product >> 64) + high * P64[1] & M64
    return avalanche(high), avalanche(product & M64)


def medium_128(data, n, seed):
    def mix(at, secret, seed):
        low = u64(data, at) ^ u64(SECRET, secret) + seed & M64
        high = u64(data, at + 8) ^ u64(SECRET, secret + 8) - seed & M64
        return fold(low, high)
    low, high = n * P64[0] & M64, 0

    def take(a, b, secret, seed):
        nonlocal low, high
        low = low + mix(a, secret, seed) & M64
        low ^= u64(data, b) + u64(data, b + 8) & M64
        high = high + mix(b, secret + 16, seed) & M64
        high ^= u64(data, a) + u64(data, a + 8) & M64
    if n <= 128:
        for i in reversed(range((n - 1) // 32 + 1)):
            take(16 * i, n - 16 * (i + 1), 32 * i, seed)
    else:
        for i in range(4):
            take(32 * i, 32 * i + 16, 32 * i, seed)
        low, high = avalanche(low), avalanche(high)
        for i in range(4, n // 32):
            take(32 * i, 32 * i + 16, 32 * (i - 4) + 3, seed)
        take(n - 16, n - 32, 136 - 17 - 16, -seed & M64)
    mixed = low * P64[0] + high * P64[3] + (n - seed) * P64[1]
    return -avalanche(mixed & M64) & M64, avalanche(low + high & M64)


def show(record, depth=0):
    fields = {name: value for name, value in vars(record).items()
              if name not in ("payload", "inner", "end", "variant")}
    name = VARIANTS.get(record.variant, f"variant {record.variant}")
    print("  " * depth + name, fields)
    for part in record.inner:
        show(part, depth + 1)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("file")
    arguments.add_argument("--ask", action="store_true")
    arguments.add_argument("--key", type=bytes.fromhex)
    options = arguments.parse_args()
    with open(options.file, "rb") as file:
        data = file.read()
    try:
        record = read(data)
        if not options.ask:
            return show(record)
        keys = sys.stdin.buffer.read().split(b"\n")
        if keys and not keys[-1]:
            keys.pop()
        hashes = [hash_key(record, key, options.key) for key in keys]
        print("".join(str(int(contains(record, *each))) for each in hashes))
    except ValueError as error:
        sys.exit(f"{options.file}: {error}")


if __name__ == "__main__":
    main()
