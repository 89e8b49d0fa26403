package io.bloomgate.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * Texts of plain lists for {@link FeedReadRun}: real files, one behind the other until there are
 * enough octets, or lists made from a seed where there are none.
 */
final class FeedTexts {

  private static final long SEED = 20_261_121;
  private static final int DISTINCT_OCTETS = 4 << 20;

  private static final List<String> IPS =
      List.of("blocklist_de", "cinsscore", "stopforumspam_90d", "greensnow", "psbl", "fullbogons");
  private static final List<String> DOMAINS =
      List.of("burner", "mx.txt", "fake.domains", "kadomains", "phishing_domains", "cloudflare");
  private static final List<String> HOSTS = List.of("hosts");

  private FeedTexts() {}

  /** Addresses and networks. */
  static byte[] ips(Path folder, int octets) throws IOException {
    return text(folder, IPS, octets, FeedTexts::ip);
  }

  /** Names. */
  static byte[] domains(Path folder, int octets) throws IOException {
    return text(folder, DOMAINS, octets, FeedTexts::name);
  }

  /** Hosts files. */
  static byte[] hosts(Path folder, int octets) throws IOException {
    return text(folder, HOSTS, octets, random -> "0.0.0.0 " + name(random));
  }

  /** Lines of two texts in turns of one another. */
  static byte[] mixed(byte[] one, byte[] other) {
    ByteArrayOutputStream mixed = new ByteArrayOutputStream(one.length);
    int[] at = {0, 0};
    byte[][] texts = {one, other};
    for (int turn = 0; mixed.size() < one.length; turn ^= 1) {
      byte[] text = texts[turn];
      int end = at[turn];
      while (end < text.length && text[end] != '\n') {
        end++;
      }
      end = Math.min(end + 1, text.length);
      mixed.write(text, at[turn], end - at[turn]);
      at[turn] = end == text.length ? 0 : end;
    }
    return mixed.toByteArray();
  }

  /** Makes a line from a random number. */
  private interface Line {
    String of(SplittableRandom random);
  }

  private static byte[] text(Path folder, List<String> names, int octets, Line line)
      throws IOException {
    byte[] once = Files.isDirectory(folder) ? real(folder, names) : made(line);
    byte[] text = new byte[octets];
    for (int at = 0; at < octets; at += once.length) {
      System.arraycopy(once, 0, text, at, Math.min(once.length, octets - at));
    }
    return text;
  }

  private static byte[] real(Path folder, List<String> names) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        String name = String.valueOf(file.getFileName());
        if (names.stream().anyMatch(name::contains) && !name.contains("json")) {
          try (InputStream raw = Files.newInputStream(file);
              InputStream text = name.endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
            text.transferTo(all);
            all.write('\n');
          }
        }
      }
    }
    return all.toByteArray();
  }

  private static byte[] made(Line line) {
    SplittableRandom random = new SplittableRandom(SEED);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    while (all.size() < DISTINCT_OCTETS) {
      all.writeBytes((line.of(random) + "\n").getBytes(US_ASCII));
    }
    return all.toByteArray();
  }

  private static String ip(SplittableRandom random) {
    String host =
        random.nextInt(1, 224)
            + "."
            + random.nextInt(256)
            + "."
            + random.nextInt(256)
            + "."
            + random.nextInt(256);
    return random.nextInt(10) == 0 ? host + "/32" : host;
  }

  private static String name(SplittableRandom random) {
    StringBuilder name = new StringBuilder();
    for (int left = random.nextInt(4, 18); left > 0; left--) {
      name.append((char) random.nextInt('a', 'z' + 1));
    }
    return name.append(random.nextBoolean() ? ".example" : ".mail.example").toString();
  }
}
