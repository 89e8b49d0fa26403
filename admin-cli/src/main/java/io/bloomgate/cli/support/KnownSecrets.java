package io.bloomgate.cli.support;

import io.bloomgate.config.settings.DnsList;
import io.bloomgate.config.settings.FeedUrl;
import io.bloomgate.config.settings.Fetching;
import io.bloomgate.config.settings.Fetching.HeaderValue;
import io.bloomgate.config.settings.Location;
import io.bloomgate.config.settings.SecretFiles;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Every key of settings that the caller can read, so that a dump can be searched for it: contents
 * of files, and what the settings hold themselves. Nothing of it is kept or shown. Used by {@link
 * SupportDump}.
 */
final class KnownSecrets {

  private static final int MOST_OCTETS = 64 << 10;

  /** A line of a file with a private key; what is shorter is no key of it. */
  private static final int LEAST_LINE = 16;

  /**
   * The labels of a zone without a key, as {@code bl.example.org}; a longer zone may begin with a
   * key.
   */
  private static final int LABELS_WITHOUT_KEY = 3;

  private static final int LABELS_SHOWN = 2;

  private KnownSecrets() {}

  static List<String> of(Settings settings) {
    List<String> known = new ArrayList<>();
    SecretFiles.of(settings).forEach(named -> addFile(named.file(), known));
    settings
        .feeds()
        .sources()
        .values()
        .forEach(feed -> {
          feed.location().addresses().forEach(url -> addQuery(url, known));
          if (feed.location() instanceof Location.Url(FeedUrl _, Fetching fetching)) {
            fetching.headers().values().forEach(value -> addHeader(value, known));
          }
        });
    if (settings.alarms().url() != null) {
      addWords(settings.alarms().url().toString(), known);
    }
    settings.feeds().dnsLists().values().forEach(list -> addZone(list, known));
    return known;
  }

  /** Adds the key in a file; a file that cannot be read is not in the dump either. */
  private static void addFile(Path file, List<String> known) {
    if (!Files.isRegularFile(file)) {
      return;
    }
    try (InputStream in = Files.newInputStream(file)) {
      String text = new String(in.readNBytes(MOST_OCTETS), StandardCharsets.ISO_8859_1).strip();
      if (text.lines().count() == 1) {
        addWords(text, known);
        known.add(FeedUrl.encoded(text));
      } else {
        text.lines().forEach(line -> addLine(line.strip(), known));
      }
    } catch (IOException e) {
      // The caller may not read it.
    }
  }

  /** A line of a private key, or NAME and TOKEN: the name is no secret. */
  private static void addLine(String line, List<String> known) {
    if (line.length() >= LEAST_LINE) {
      known.add(line);
    }
    String[] words = line.split("\\s+", -1);
    if (words.length == 2 && !line.startsWith("#") && !line.startsWith("-")) {
      known.add(words[1]);
    }
  }

  /** The whole, and USER and PASSWORD, or what follows the name of a scheme. */
  private static void addWords(String text, List<String> known) {
    known.add(text);
    known.addAll(List.of(text.split("[\\s:]+", -1)));
  }

  private static void addHeader(HeaderValue value, List<String> known) {
    if (value instanceof HeaderValue.Text(String text)) {
      addWords(text, known);
    }
  }

  private static void addQuery(FeedUrl url, List<String> known) {
    int query = url.text().indexOf('?');
    if (query >= 0) {
      for (String part : url.text().substring(query + 1).split("[&#;]", -1)) {
        known.add(part.substring(part.indexOf('=') + 1));
      }
    }
  }

  /** A key that was written into the zone itself: all but its end. */
  private static void addZone(DnsList list, List<String> known) {
    String[] labels = list.zone().split("\\.", -1);
    Stream.of(labels).filter(label -> label.length() >= LEAST_LINE).forEach(known::add);
    if (labels.length > LABELS_WITHOUT_KEY) {
      known.add(String.join(".", List.of(labels).subList(0, labels.length - LABELS_SHOWN)));
    }
  }
}
