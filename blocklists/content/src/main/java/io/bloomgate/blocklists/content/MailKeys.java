package io.bloomgate.blocklists.content;

import io.bloomgate.blocklists.campaign.MailPrint;
import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.WebUrl;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The keys of one mail, each once, and the one budget of its reading: {@link #MAX_TEXT_OCTETS} and
 * {@link #MAX_KEYS}. Filled by the readers of parts, read by {@link MailReader}; of one thread.
 */
final class MailKeys {

  /** Octets of text that are read of a mail, transfer encodings undone. */
  static final int MAX_TEXT_OCTETS = 1 << 20;

  /** Distinct keys of a mail. What comes again, and what is no address, costs none. */
  static final int MAX_KEYS = 2_000;

  /** International names that are read of a mail; each costs as much as a hundred others. */
  static final int MAX_MAPPED = 2_000;

  /** Octets of memory that the objects of one key take beside its text. */
  private static final long KEY_OCTETS = 200;

  /** Characters of a field of the mail that are kept as they are shown. */
  private static final int MAX_SHOWN = 1_000;

  private final Set<Check> wanted;
  private final Map<String, String> shown = new HashMap<>();
  private final Set<ContentKey> keys = new LinkedHashSet<>();
  private final List<Fingerprint> files = new ArrayList<>();
  private final EnumSet<Oddity> odd = EnumSet.noneOf(Oddity.class);
  private int textLeft = MAX_TEXT_OCTETS;
  private int mappedLeft = MAX_MAPPED;
  private long octets;

  MailKeys(Set<Check> wanted) {
    this.wanted = wanted;
  }

  boolean wants(Check check) {
    return wanted.contains(check);
  }

  boolean wantsUrls() {
    return wants(Check.URL) || wants(Check.URL_HOST);
  }

  void odd(Oddity what) {
    odd.add(what);
  }

  /** Takes octets of text from the budget; returns how many of them may be read. */
  int take(int text) {
    int granted = Math.min(text, textLeft);
    textLeft -= granted;
    if (granted < text) {
      odd.add(Oddity.MANY_OCTETS);
    }
    return granted;
  }

  /** The URL of a text in its canonical form; empty for none. */
  Optional<WebUrl> asked(String text) {
    String written = text.length() > WebUrl.MAX_CHARACTERS ? withoutUser(text) : text;
    return WebUrl.asked(written, this::mayMap);
  }

  /** Browsers take any number of slashes, and of characters in front of an at sign. */
  private static String withoutUser(String text) {
    int from = text.indexOf(':') + 1;
    while (from < text.length() && "/\\".indexOf(text.charAt(from)) >= 0) {
      from++;
    }
    int end = from;
    while (end < text.length() && "/\\?#".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    return "//" + text.substring(Math.max(from, text.lastIndexOf('@', end - 1) + 1));
  }

  private boolean mayMap() {
    if (mappedLeft == 0) {
      odd.add(Oddity.MANY_KEYS);
      return false;
    }
    mappedLeft--;
    return true;
  }

  /** Adds a URL and its host. */
  void url(WebUrl url, Place place) {
    add(Check.URL_HOST, url.host(), place);
    add(Check.URL, url, place);
  }

  /** Adds a key that is wanted. */
  void add(Check check, ListKey key, Place place) {
    if (!wants(check)) {
      return;
    }
    ContentKey added = new ContentKey(check, key, place);
    if (keys.size() == MAX_KEYS) {
      if (!keys.contains(added)) {
        odd.add(Oddity.MANY_KEYS);
      }
    } else if (keys.add(added)) {
      octets += KEY_OCTETS + (key instanceof WebUrl url ? url.octets().length : 0);
    }
  }

  /** Notes a field of the mail itself, encoded words decoded, where From is wanted. */
  void show(String field, String text) {
    String all = (shown(field) + " " + text).strip();
    shown.put(field, all.substring(0, Math.min(all.length(), MAX_SHOWN)));
  }

  /** Returns the begin of what was noted of a field; empty for none. */
  String shown(String field) {
    return shown.getOrDefault(field, "");
  }

  /** Adds an attachment of this number of octets. */
  void file(Fingerprint value, long length, Place place) {
    add(Check.ATTACHMENT, value, place);
    if (place == Place.OPEN
        && length >= MailPrint.LEAST_FILE
        && files.size() < MailPrint.MOST_ATTACHMENTS
        && !files.contains(value)) {
      files.add(value);
    }
  }

  /** Attachments by which copies of the mail are recognised. */
  List<Fingerprint> files() {
    return files;
  }

  /** Octets of memory that the keys take, about. */
  long octets() {
    return octets;
  }

  /** The keys so far. */
  List<ContentKey> all() {
    return List.copyOf(keys);
  }

  /** Returns what was odd so far, in words. */
  List<String> notes() {
    return odd.stream().map(Oddity::text).toList();
  }

  /** True when something was not read. */
  boolean isLimited() {
    return odd.stream().anyMatch(Oddity::isLimit);
  }

  /** True when something is against the rules. */
  boolean isMalformed() {
    return !odd.stream().allMatch(Oddity::isLimit);
  }
}
