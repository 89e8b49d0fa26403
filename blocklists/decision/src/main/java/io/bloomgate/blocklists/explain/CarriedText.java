package io.bloomgate.blocklists.explain;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.blocklists.decision.Content;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.Sign;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Writes and reads what a mail carries as texts of a request: check, place and key with one space
 * between them. The command line writes them, the gateway reads them. Pure.
 */
public final class CarriedText {

  /** Keys of one question; the reader of mails finds fewer. */
  public static final int MOST_KEYS = 10_000;

  private static final int WORDS = 3;

  private CarriedText() {}

  /** The text of a key. */
  public static String of(ContentKey carried) {
    return carried.check().key() + " " + carried.place().key() + " " + carried.key();
  }

  /** The keys of texts, or what is wrong with the first that is none. */
  public static Parsed<List<ContentKey>> parse(List<String> texts) {
    if (texts.size() > MOST_KEYS) {
      return Parsed.bad("a question has at most " + MOST_KEYS + " keys");
    }
    List<ContentKey> keys = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      Optional<ContentKey> key = parse(texts.get(i));
      if (key.isEmpty()) {
        return Parsed.bad("key " + (i + 1) + " is not of what a mail carries");
      }
      keys.add(key.get());
    }
    return Parsed.ok(keys);
  }

  /** The text of a sign; {@code -} stands for the whole mail. */
  public static String of(Content.Shown shown) {
    ListKey subject = shown.subject();
    return shown.sign().key() + " " + (subject == null ? "-" : subject) + " " + shown.seen();
  }

  /** The signs of texts, or what is wrong with the first that is none. */
  public static Parsed<List<Content.Shown>> parseSigns(List<String> texts) {
    List<Content.Shown> signs = new ArrayList<>();
    for (String text : texts) {
      String[] words = text.split(" ", WORDS);
      Optional<Sign> sign = Sign.ofContent(words[0]);
      if (words.length < WORDS || sign.isEmpty() || signs.size() == Sign.values().length) {
        return Parsed.bad("sign " + (signs.size() + 1) + " is not of what a mail shows");
      }
      signs.add(Content.Shown.of(sign.get(), words[1], words[2]));
    }
    return Parsed.ok(signs);
  }

  private static Optional<ContentKey> parse(String text) {
    String[] words = text.split(" ", WORDS);
    if (words.length < WORDS) {
      return Optional.empty();
    }
    return Stream.of(Check.values())
        .filter(check -> check.key().equals(words[0]))
        .findFirst()
        .flatMap(
            check -> Place.of(words[1]).flatMap(place -> ContentKey.parse(check, words[2], place)));
  }
}
