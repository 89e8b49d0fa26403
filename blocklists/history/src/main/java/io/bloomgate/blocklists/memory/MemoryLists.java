package io.bloomgate.blocklists.memory;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import io.bloomgate.config.settings.MemorySettings;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The lists that are made of what is remembered, as files of format {@code entries}. Made by {@link
 * OwnMemory} for each writing; one thread.
 */
final class MemoryLists {

  /** No guard takes an empty list; nobody can have this name (RFC 2606 section 2). */
  private static final String FIRST =
      """
      # Bloomgate writes this file again and again: what memory.db has, as `traps` of the settings says.
      own-memory.invalid # always here, because an empty list counts as broken
      """;

  /** Text that a line has no room for: a blank ends the entry. */
  private static final Pattern NO_WORD = Pattern.compile("[\\s\\p{Cntrl}]");

  private final int sightings;
  private final Map<String, TreeMap<String, String>> lines = new HashMap<>();

  /** Empty lists. */
  MemoryLists(int sightings) {
    this.sightings = sightings;
    MemorySettings.LISTS.forEach(list -> lines.put(list, new TreeMap<>()));
  }

  /**
   * Adds a key to the list that it belongs to, if there is one.
   *
   * @param knowsGoodMail true where all that good mail carried lately is known; else it does no
   *     more than tag
   */
  void add(Remembered one, boolean knowsGoodMail) {
    list(one, knowsGoodMail)
        .map(lines::get)
        .ifPresent(list -> {
          String entry = entry(one.key().subject());
          if (!NO_WORD.matcher(entry).find()) {
            list.put(entry, one.text());
          }
        });
  }

  private Optional<String> list(Remembered one, boolean knowsGoodMail) {
    boolean strong = one.isStrong(sightings);
    boolean refuses = strong && knowsGoodMail;
    return switch (one.key().kind()) {
      case BODY, URL -> Optional.of(refuses ? MemorySettings.STRONG : MemorySettings.WEAK);
      // A phish of a bank has the bank's own links, and bounces have one subject: one sighting of
      // these says nothing, and several are no reason to refuse.
      case HOST, SUBJECT, ATTACHMENT ->
          strong ? Optional.of(MemorySettings.WEAK) : Optional.empty();
      case BAND -> Optional.of(MemorySettings.WEAK);
      // Spam forges senders, so they need one more.
      case ADDRESS, DOMAIN ->
          one.isStrong(Math.min(sightings + 1, MemorySettings.MOST_SIGHTINGS))
              ? Optional.of(MemorySettings.SENDERS)
              : Optional.empty();
      case NETWORK -> refuses ? Optional.of(MemorySettings.NETWORKS) : Optional.empty();
    };
  }

  private static String entry(Subject subject) {
    return subject instanceof WebUrl url ? "http:" + url.written() : subject.toString();
  }

  /** The octets of a list's file. */
  byte[] file(String list) {
    StringBuilder text = new StringBuilder(FIRST);
    lines
        .getOrDefault(list, new TreeMap<>())
        .forEach((entry, seen) -> text.append(entry).append(" # ").append(seen).append('\n'));
    return text.toString().getBytes(UTF_8);
  }
}
