package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.bloomgate.config.settings.Check;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * However the octets of a mail are cut into pieces, the evidence and every leaf are the same. Real
 * mails are those of {@code ../shared/mail}; {@code -Dseed=N} repeats a run.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class CutTest {

  private static final Path MAIL = Path.of("..", "..", "shared", "mail");
  private static final MimeLimits TIGHT = new MimeLimits(3, 6, 2, 5);

  private record Seen(
      MailEvidence evidence,
      @Nullable MimeExcess excess,
      List<String> leaves,
      List<String> lines) {}

  private static Seen read(byte[] mail, MimeLimits limits, IntSupplier pieces) {
    MailScanner scanner = new MailScanner(limits, Check.OF_CONTENT, 7);
    int at = 0;
    while (at < mail.length) {
      int length = Math.min(mail.length - at, pieces.getAsInt());
      byte[] own = new byte[length + 2]; // what is around a piece must not matter
      System.arraycopy(mail, at, own, 1, length);
      own[0] = '\n';
      own[length + 1] = '-';
      scanner.put(own, 1, length);
      java.util.Arrays.fill(own, (byte) '=');
      at += length;
    }
    MailEvidence evidence = scanner.end();
    int first = pieces.getAsInt();
    Leaves leaves = Leaves.of(mail, limits, Math.max(1, first));
    return new Seen(
        evidence,
        scanner.excess(),
        leaves.texts(),
        leaves.lines.stream().map(Leaves.Leaf::text).toList());
  }

  @Test
  void everyCutOfSmallMails() {
    for (String sample : Mails.samples()) {
      for (byte[] mail : List.of(Mails.octets(sample), sample.getBytes(ISO_8859_1))) {
        for (MimeLimits limits : List.of(MimeLimits.DEFAULTS, TIGHT)) {
          Seen whole = read(mail, limits, () -> Integer.MAX_VALUE / 2);
          assertEquals(whole, read(mail, limits, () -> 1), sample);
          for (int cut = 1; cut < mail.length; cut++) {
            int here = cut;
            assertEquals(whole, read(mail, limits, () -> here), () -> "pieces of " + here);
            int[] pieces = {cut, mail.length};
            int[] next = {0};
            Seen cutOnce = read(mail, limits, () -> pieces[Math.min(1, next[0]++)]);
            assertEquals(whole, cutOnce, () -> "cut at " + here + " of " + sample);
          }
        }
      }
    }
  }

  @Test
  void randomCutsOfRealMails() throws IOException {
    Assumptions.assumeTrue(Files.isDirectory(MAIL), "no mails beside the repository");
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    int read = 0;
    try (Stream<Path> files = Files.walk(MAIL, 2)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        byte[] mail = Files.readAllBytes(file);
        Seen whole = read(mail, MimeLimits.DEFAULTS, () -> Integer.MAX_VALUE / 2);
        for (int most : List.of(3, 60, 5_000)) {
          assertEquals(
              whole,
              read(mail, MimeLimits.DEFAULTS, () -> 1 + random.nextInt(most)),
              () -> file + ", seed " + seed + ", pieces of at most " + most);
        }
        read++;
      }
    }
    assertFalse(read < 250, read + " mails");
  }
}
