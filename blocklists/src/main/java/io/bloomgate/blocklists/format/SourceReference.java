package io.bloomgate.blocklists.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.format.octets.FeedBytes;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Finds a feed's text about an entry: Spamhaus's SBL number, or the comment after the entry. Read
 * from the line of the entry when {@code explain} asks, on the thread of the command.
 */
final class SourceReference {

  /** Characters that are shown of a reference. */
  private static final int MAX_LENGTH = 80;

  /** Octets of a line that are looked at. */
  private static final int MAX_OCTETS = 4096;

  /** Formats in which a comment may follow the entry on its line. */
  private static final Set<String> WITH_COMMENTS = Set.of("lines", "ips", "domains");

  private SourceReference() {}

  /** The reference on a line of a version, counted from 1; empty where there is none. */
  static Optional<String> of(FeedContent content, String format, int number) throws IOException {
    boolean json = format.equals("spamhaus-json");
    if (!json && !WITH_COMMENTS.contains(format)) {
      return Optional.empty();
    }
    return line(content, number)
        .flatMap(line -> json ? sblId(line) : comment(line))
        .map(SourceReference::cut)
        .filter(text -> !text.isEmpty());
  }

  private static Optional<String> line(FeedContent content, int number) throws IOException {
    int before = 0;
    for (Path part : content.parts()) {
      try (InputStream octets = Files.newInputStream(part);
          InputStream text = FeedBytes.open(octets)) {
        FeedLines lines = new FeedLines(text);
        while (lines.next()) {
          if (before + lines.number() == number) {
            int length = Math.min(lines.to() - lines.from(), MAX_OCTETS);
            return Optional.of(new String(lines.octets(), lines.from(), length, UTF_8));
          }
        }
        before += lines.number();
      }
    }
    return Optional.empty();
  }

  /** Member {@code sblid} of Spamhaus's JSON lists, such as {@code SBL256894}. */
  private static Optional<String> sblId(String line) {
    try {
      return Json.parse(line) instanceof JsonObject object
          ? object.text("sblid")
          : Optional.empty();
    } catch (JsonSyntaxException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> comment(String line) {
    for (int i = 1; i < line.length(); i++) {
      char c = line.charAt(i);
      if ((c == ';' || c == '#') && Character.isWhitespace(line.charAt(i - 1))) {
        return Optional.of(line.substring(i + 1));
      }
    }
    return Optional.empty();
  }

  /** Control characters would reach logs and terminals. */
  private static String cut(String text) {
    String clean = text.replaceAll("\\p{Cntrl}", " ").strip();
    return clean.length() > MAX_LENGTH ? clean.substring(0, MAX_LENGTH) : clean;
  }
}
