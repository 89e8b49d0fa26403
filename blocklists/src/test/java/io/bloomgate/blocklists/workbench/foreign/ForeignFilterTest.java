package io.bloomgate.blocklists.workbench.foreign;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.format.BloomFilterAlgorithm;
import org.apache.parquet.format.BloomFilterCompression;
import org.apache.parquet.format.BloomFilterHash;
import org.apache.parquet.format.BloomFilterHeader;
import org.apache.parquet.format.SplitBlockAlgorithm;
import org.apache.parquet.format.Uncompressed;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.XxHash;
import org.apache.parquet.io.api.Binary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each format beside its own library: the library's file is asked here, and the file from here is
 * asked there, with the same answer to every key, false positives included.
 */
class ForeignFilterTest {

  private static final int KEYS = 2_000;
  private static final int OTHERS = 20_000;

  @TempDir private Path folder;

  private static String key(int i) {
    // Of every length of a block and its rest, with letters beyond ASCII.
    return "k\u00e9y" + "x".repeat(i % 37) + i;
  }

  private ForeignFilter read(byte[] octets) throws IOException {
    Path file = Files.write(folder.resolve("filter"), octets);
    return ForeignFiles.read(file).orElseThrow();
  }

  private static byte[] octets(ByteBuffer buffer) {
    byte[] octets = new byte[buffer.remaining()];
    buffer.get(octets);
    return octets;
  }

  @Test
  void guavaReadsOurFilter() throws Exception {
    for (double rate : new double[] {0.3, 0.03, 0.001, 1e-6}) {
      GuavaFilter ours = GuavaFilter.create(KEYS, rate);
      for (int i = 0; i < KEYS; i++) {
        ours.add(key(i).getBytes(UTF_8));
      }
      byte[] file = octets(ours.write(""));
      BloomFilter<CharSequence> theirs =
          BloomFilter.readFrom(new ByteArrayInputStream(file), Funnels.stringFunnel(UTF_8));
      BloomFilter<CharSequence> made = BloomFilter.create(Funnels.stringFunnel(UTF_8), KEYS, rate);
      for (int i = 0; i < KEYS; i++) {
        made.put(key(i));
      }
      assertEquals(made, theirs, "the very filter that Guava makes, at " + rate);
      assertAlike(theirs, ours);
    }
  }

  @Test
  void weReadTheFilterOfGuava() throws Exception {
    BloomFilter<CharSequence> theirs = BloomFilter.create(Funnels.stringFunnel(UTF_8), KEYS, 0.02);
    for (int i = 0; i < KEYS; i++) {
      theirs.put(key(i));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    theirs.writeTo(out);
    ForeignFilter ours = read(out.toByteArray());
    assertInstanceOf(GuavaFilter.class, ours);
    assertAlike(theirs, ours);
  }

  /** An empty filter of the old strategy is filled by Guava itself, which no longer makes one. */
  @Test
  void weReadWhatOldVersionsOfGuavaWrote() throws Exception {
    byte[] empty = octets(GuavaFilter.create(KEYS, 0.02).write(""));
    empty[0] = 0;
    BloomFilter<CharSequence> theirs =
        BloomFilter.readFrom(new ByteArrayInputStream(empty), Funnels.stringFunnel(UTF_8));
    for (int i = 0; i < KEYS; i++) {
      theirs.put(key(i));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    theirs.writeTo(out);
    ForeignFilter ours = read(out.toByteArray());
    assertEquals("MURMUR128_MITZ_32", ours.toJson().text("strategy").orElseThrow());
    assertAlike(theirs, ours);
  }

  private static void assertAlike(BloomFilter<CharSequence> theirs, ForeignFilter ours) {
    int maybe = 0;
    for (int i = 0; i < OTHERS; i++) {
      boolean answer = theirs.mightContain(key(i));
      assertEquals(answer, ours.mightContain(key(i).getBytes(UTF_8)), key(i));
      maybe += answer ? 1 : 0;
    }
    assertTrue(maybe >= KEYS && maybe < OTHERS, maybe + " maybe");
  }

  /**
   * The dump in the documentation of BF.SCANDUMP, which a server gave after {@code BF.RESERVE bf
   * 0.1 10} and {@code BF.ADD bf item1}.
   */
  private static final byte[] RECORDED_HEAD =
      ("\1\0\0\0\0\0\0\0\1\0\0\0\5\0\0\0\2\0\0\0\b\0\0\0\0\0\0\0@\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\u009a\u0099\u0099\u0099\u0099\u0099\u00a9?J\u00f7\u00d4\u009e\u00de\u00f0\u0018@\5\0\0\0\n"
           + "\0\0\0\0\0\0\0\0")
          .getBytes(ISO_8859_1);

  private static final byte[] RECORDED_BITS = "\1\b\0\u0080\0\4 \0".getBytes(ISO_8859_1);

  private static byte[] replies(byte[]... pieces) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    long place = 1L - pieces[0].length;
    for (byte[] piece : pieces) {
      place += piece.length;
      out.writeBytes(("*2\r\n:" + place + "\r\n$" + piece.length + "\r\n").getBytes(UTF_8));
      out.writeBytes(piece);
      out.writeBytes("\r\n".getBytes(UTF_8));
    }
    out.writeBytes("*2\r\n:0\r\n$0\r\n\r\n".getBytes(UTF_8));
    return out.toByteArray();
  }

  @Test
  void weReadTheDumpOfAServer() throws Exception {
    ForeignFilter filter = read(replies(RECORDED_HEAD, RECORDED_BITS));
    assertTrue(filter.mightContain("item1".getBytes(UTF_8)));
    int others = 0;
    for (int i = 2; i < 1000; i++) {
      others += filter.mightContain(("item" + i).getBytes(UTF_8)) ? 1 : 0;
    }
    assertTrue(others < 10, others + " of 998");
    assertEquals(1, filter.toJson().number("entries").orElseThrow());
    assertEquals(10, filter.toJson().number("capacity").orElseThrow());
  }

  /** Octet for octet what the server gave. */
  @Test
  void weWriteTheDumpOfAServer() {
    RedisBloomFilter filter = RedisBloomFilter.create(10, 0.1);
    filter.add("item1".getBytes(UTF_8));
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    String command = "*4\r\n$12\r\nBF.LOADCHUNK\r\n$2\r\nbf\r\n";
    expected.writeBytes((command + "$1\r\n1\r\n$73\r\n").getBytes(UTF_8));
    expected.writeBytes(RECORDED_HEAD);
    expected.writeBytes(("\r\n" + command + "$1\r\n9\r\n$8\r\n").getBytes(UTF_8));
    expected.writeBytes(RECORDED_BITS);
    expected.writeBytes("\r\n".getBytes(UTF_8));
    assertArrayEquals(expected.toByteArray(), octets(filter.write("bf")));
  }

  /**
   * The places of a key, written once more from the description of the algorithm, in numbers
   * without bounds.
   */
  @Test
  void placesAreThoseOfTheDescription() throws Exception {
    RedisBloomFilter filter = RedisBloomFilter.create(KEYS, 0.01);
    for (int i = 0; i < KEYS; i++) {
      filter.add(key(i).getBytes(UTF_8));
    }
    byte[] file = octets(filter.write("k"));
    ForeignFilter again = read(file);
    // The last command holds all bits, 2 octets before the end of the file.
    int length = (int) (again.toJson().number("bits").orElseThrow() / 8);
    byte[] bits = Arrays.copyOfRange(file, file.length - 2 - length, file.length - 2);
    long hashes = again.toJson().number("hashes").orElseThrow();
    BigInteger two64 = BigInteger.ONE.shiftLeft(64);
    for (int i = 0; i < OTHERS; i++) {
      byte[] key = key(i).getBytes(UTF_8);
      BigInteger a = murmur(key, new BigInteger("c6a4a7935bd1e995", 16));
      BigInteger b = murmur(key, a);
      boolean all = true;
      for (int h = 0; h < hashes; h++) {
        int bit =
            a.add(b.multiply(BigInteger.valueOf(h)))
                .mod(two64)
                .mod(BigInteger.valueOf(8L * length))
                .intValueExact();
        all &= (bits[bit / 8] & 1 << bit % 8) != 0;
      }
      assertEquals(all, again.mightContain(key), key(i));
      assertTrue(all || i >= KEYS, key(i));
    }
  }

  /** MurmurHash64A in numbers without bounds. */
  private static BigInteger murmur(byte[] key, BigInteger seed) {
    BigInteger two64 = BigInteger.ONE.shiftLeft(64);
    BigInteger m = new BigInteger("c6a4a7935bd1e995", 16);
    BigInteger h = seed.xor(m.multiply(BigInteger.valueOf(key.length)).mod(two64));
    int at = 0;
    for (; at + 8 <= key.length; at += 8) {
      BigInteger k = little(key, at, 8).multiply(m).mod(two64);
      k = k.xor(k.shiftRight(47)).multiply(m).mod(two64);
      h = h.xor(k).multiply(m).mod(two64);
    }
    if (at < key.length) {
      h = h.xor(little(key, at, key.length - at)).multiply(m).mod(two64);
    }
    h = h.xor(h.shiftRight(47)).multiply(m).mod(two64);
    return h.xor(h.shiftRight(47));
  }

  private static BigInteger little(byte[] octets, int at, int length) {
    byte[] reversed = new byte[length];
    for (int i = 0; i < length; i++) {
      reversed[i] = octets[at + length - 1 - i];
    }
    return new BigInteger(1, reversed);
  }

  private static byte[] parquet(BlockSplitBloomFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Util.writeBloomFilterHeader(
        new BloomFilterHeader(
            filter.getBitsetSize(),
            BloomFilterAlgorithm.BLOCK(new SplitBlockAlgorithm()),
            BloomFilterHash.XXHASH(new XxHash()),
            BloomFilterCompression.UNCOMPRESSED(new Uncompressed())),
        out);
    filter.writeTo(out);
    return out.toByteArray();
  }

  @Test
  void weReadTheFiltersOfParquet() throws Exception {
    BlockSplitBloomFilter first = new BlockSplitBloomFilter(1 << 12);
    BlockSplitBloomFilter second = new BlockSplitBloomFilter(1 << 11);
    for (int i = 0; i < KEYS; i++) {
      BlockSplitBloomFilter one = i % 3 == 0 ? second : first;
      one.insertHash(one.hash(Binary.fromString(key(i))));
    }
    ForeignFilter alone = read(parquet(first));
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes("PAR1 columns ".getBytes(UTF_8));
    file.writeBytes(parquet(first));
    file.writeBytes(parquet(second));
    file.writeBytes("footer PAR1".getBytes(UTF_8));
    ForeignFilter both = read(file.toByteArray());
    assertEquals(2, both.toJson().number("filters").orElseThrow());
    int maybe = 0;
    for (int i = 0; i < OTHERS; i++) {
      boolean inFirst = first.findHash(first.hash(Binary.fromString(key(i))));
      boolean inSecond = second.findHash(second.hash(Binary.fromString(key(i))));
      byte[] octets = key(i).getBytes(UTF_8);
      assertEquals(inFirst, alone.mightContain(octets), key(i));
      assertEquals(inFirst || inSecond, both.mightContain(octets), key(i));
      maybe += inFirst ? 1 : 0;
    }
    assertTrue(maybe > KEYS / 2 && maybe < OTHERS, maybe + " maybe");
  }

  /** The length, and the first octets as far as there are any, tell that a file is cut. */
  @Test
  void whatIsCutIsRefused() throws Exception {
    BlockSplitBloomFilter parquet = new BlockSplitBloomFilter(64);
    byte[] dump = replies(RECORDED_HEAD, RECORDED_BITS);
    for (byte[] whole : new byte[][] {dump, parquet(parquet)}) {
      read(whole);
      for (int length = 3; length < whole.length - 22; length++) {
        Path file = Files.write(folder.resolve("cut"), Arrays.copyOf(whole, length));
        try {
          assertEquals(Optional.empty(), ForeignFiles.read(file), length + " octets");
        } catch (BadForeignFileException e) {
          assertFalse(String.valueOf(e.getMessage()).isEmpty());
        }
      }
    }
    byte[] guava = octets(GuavaFilter.create(10, 0.1).write(""));
    Path cut = Files.write(folder.resolve("cut"), Arrays.copyOf(guava, guava.length - 1));
    assertEquals(Optional.empty(), ForeignFiles.read(cut));
  }

  @Test
  void headersThatNoServerWritesAreRefused() {
    for (int at = 8; at < RECORDED_HEAD.length; at++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] head = RECORDED_HEAD.clone();
        head[at] ^= (byte) (1 << bit);
        try {
          // What is left is a figure that no other one contradicts.
          assertEquals(
              64, read(replies(head, RECORDED_BITS)).toJson().number("bits").orElseThrow());
        } catch (IOException e) {
          assertInstanceOf(BadForeignFileException.class, e);
        }
      }
    }
    assertThrows(BadForeignFileException.class, () -> read("*1\r\n$4\r\nPING\r\n".getBytes(UTF_8)));
    assertThrows(
        BadForeignFileException.class, () -> read("PAR1 no filter in it PAR1".getBytes(UTF_8)));
  }
}
