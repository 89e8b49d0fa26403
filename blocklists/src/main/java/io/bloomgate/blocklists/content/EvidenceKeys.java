package io.bloomgate.blocklists.content;

import io.bloomgate.blocklists.campaign.MailPrint;
import io.bloomgate.blocklists.decision.ContentKey;
import io.bloomgate.blocklists.decision.ContentKey.Place;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.WebUrl;
import io.bloomgate.config.settings.Check;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects the keys of one mail, each once and within bounds, and what was not looked at. Filled by
 * {@link LeafReader} and {@link HeaderKeys}, read by {@link MailScanner}.
 */
final class EvidenceKeys {

  /** Mailboxes of From, and as many of Reply-To, in one header block. */
  static final int MOST_MAILBOXES = 1_000;

  /**
   * What all mailboxes of a mail may cost that are read, in those of ASCII: a mail may have any
   * number of header blocks.
   */
  static final int MOST_READ = 32 * 1024;

  /** What a mailbox with other characters or encoded words costs. */
  private static final int INTERNATIONAL = 24;

  /** Subjects of all header blocks of a mail; of several in one, readers show any. */
  static final int MOST_READ_SUBJECTS = 200;

  /**
   * Characters beside ASCII of all subjects of a mail, which may become eighteen each before they
   * are folded.
   */
  static final int MOST_SUBJECT_CHARACTERS = 32 * 1024;

  /** Distinct hosts of a mail. */
  static final int MOST_HOSTS = 2_000;

  /** Distinct URLs of a mail. */
  static final int MOST_URLS = 4_000;

  /** Keys of all nested mails and header fields together. */
  static final int MOST_OTHERS = 2_000;

  /** Octets that the keys of a mail take in memory, until its end, in each of many sessions. */
  static final long MOST_OCTETS = 512 * 1024L;

  /**
   * Octets of keys behind these bounds that the live lists may hold; of this, lists that refuse
   * nothing take at most half, so that they hide no key that is refused.
   */
  static final long MOST_LATE_OCTETS = 64 * 1024L;

  /** What the objects of one key take beside its text. */
  private static final long KEY_OCTETS = 200;

  private final Set<Check> wanted;
  private final @Nullable LiveLists live;
  private final Set<ContentKey> keys = new LinkedHashSet<>();
  private final Map<ListKey, EnumSet<Place>> hosts = new HashMap<>();
  private final List<Fingerprint> files = new ArrayList<>();
  private final EnumSet<Skipped> skipped = EnumSet.noneOf(Skipped.class);
  private @Nullable EvidenceKeys beside;
  private long most = MOST_OCTETS;
  private long octets;
  private int urls;
  private int others;
  private int read;
  private int readSubjects;
  private int subjectCharacters;

  /**
   * Nothing yet.
   *
   * @param live asked behind the bounds; {@code null} for nobody
   */
  EvidenceKeys(Set<Check> wanted, @Nullable LiveLists live) {
    this.wanted = wanted;
    this.live = live;
  }

  /**
   * Keys of readings that most mail clients do not share, within bounds of their own. In the
   * evidence they follow the others, sorted.
   */
  EvidenceKeys beside() {
    EvidenceKeys others = beside;
    if (others == null) {
      others = new EvidenceKeys(wanted, live);
      beside = others;
      if (most < MOST_OCTETS) {
        others.keepOnlyListed();
      }
    }
    return others;
  }

  boolean wants(Check check) {
    return wanted.contains(check);
  }

  /** Adds a URL and its host. */
  void url(WebUrl url, Place place) {
    EnumSet<Place> places = hosts.get(url.host());
    if (places == null) {
      if (hosts.size() == MOST_HOSTS || octets >= most) {
        late(new ContentKey(Check.URL_HOST, url.host(), place), Skipped.MANY_HOSTS);
        late(new ContentKey(Check.URL, url, place), Skipped.MANY_URLS);
        return;
      }
      places = EnumSet.noneOf(Place.class);
      hosts.put(url.host(), places);
      octets += KEY_OCTETS;
    }
    if (places.add(place) && wants(Check.URL_HOST)) {
      keys.add(new ContentKey(Check.URL_HOST, url.host(), place));
    }
    if (wants(Check.URL)) {
      urls += one(new ContentKey(Check.URL, url, place), urls, MOST_URLS, Skipped.MANY_URLS);
    }
  }

  /** False when no more mailboxes are read. */
  boolean mayRead(String mailbox) {
    boolean plain = isAscii(mailbox) && !mailbox.contains("=?");
    read += plain ? 1 : INTERNATIONAL;
    read = Math.min(read, MOST_READ);
    return read < MOST_READ;
  }

  private static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }

  /** False when no more subjects are read. */
  boolean mayReadSubject() {
    readSubjects = Math.min(readSubjects + 1, MOST_READ_SUBJECTS + 1);
    return readSubjects <= MOST_READ_SUBJECTS;
  }

  /** False when the text of no more subjects is read that are like this one. */
  boolean mayReadSubject(String text) {
    int wide = 0;
    for (int i = 0; i < text.length(); i++) {
      wide += text.charAt(i) < 0x80 ? 0 : 1;
    }
    if (wide > MOST_SUBJECT_CHARACTERS - subjectCharacters) {
      return false;
    }
    subjectCharacters += wide;
    return true;
  }

  /** Adds any other key, if it is wanted. */
  void add(Check check, ListKey key, Place place) {
    if (wants(check)) {
      others += one(new ContentKey(check, key, place), others, MOST_OTHERS, Skipped.MANY_KEYS);
    }
  }

  /** Adds an attachment of this number of octets. */
  void file(Fingerprint value, long octets, Place place) {
    add(Check.ATTACHMENT, value, place);
    if (place == Place.OPEN
        && octets >= MailPrint.LEAST_FILE
        && files.size() < MailPrint.MOST_ATTACHMENTS
        && !files.contains(value)) {
      files.add(value);
    }
  }

  /** Attachments by which copies of the mail are recognised. */
  List<Fingerprint> files() {
    return files;
  }

  /** Adds a key that is new, unless there are too many; returns how many were added. */
  private int one(ContentKey key, int so, int mostOfThem, Skipped beyond) {
    if (so < mostOfThem && octets < most) {
      return keep(key) ? 1 : 0;
    }
    late(key, beyond);
    return 0;
  }

  private boolean keep(ContentKey key) {
    if (!keys.add(key)) {
      return false;
    }
    octets += KEY_OCTETS + (key.key() instanceof WebUrl url ? url.octets().length : 0);
    return true;
  }

  /** Behind a bound, what the live lists may hold is kept anyway. */
  private void late(ContentKey key, Skipped beyond) {
    if (!wants(key.check()) || keys.contains(key)) {
      return;
    }
    LiveLists.Held held = live == null ? LiveLists.Held.NOT : live.held(key.key());
    long room =
        switch (held) {
          case NOT -> 0;
          case OBSERVED -> most + MOST_LATE_OCTETS / 2;
          case MAY_REFUSE -> most + MOST_LATE_OCTETS;
        };
    if (octets < room) {
      keep(key);
    } else if (live == null || room > 0) {
      skipped.add(beyond);
    }
  }

  /** From here on only what the live lists may hold is kept; without such lists nothing changes. */
  void keepOnlyListed() {
    if (live != null) {
      most = Math.min(most, octets);
      if (beside != null) {
        beside.keepOnlyListed();
      }
    }
  }

  /** Octets that the keys take in memory, about. */
  long octets() {
    EvidenceKeys others = beside;
    return others == null ? octets : octets + others.octets();
  }

  void skipped(Skipped what) {
    skipped.add(what);
  }

  /** What is known now. */
  MailEvidence now(int parts, int depth, List<ContentKey> more, MailPrint print) {
    EnumSet<Skipped> said = skipped;
    EvidenceKeys others = beside;
    if (others == null && more.isEmpty() && said.isEmpty()) {
      return new MailEvidence(List.copyOf(keys), parts, depth, List.of(), false, print);
    }
    List<ContentKey> all = new ArrayList<>(keys.size() + more.size());
    all.addAll(keys);
    if (others != null) {
      others.keys.stream()
          .filter(key -> !keys.contains(key))
          .sorted(Comparator.comparing(ContentKey::toString))
          .forEach(all::add);
      said = EnumSet.copyOf(skipped);
      said.addAll(others.skipped);
    }
    all.addAll(more);
    List<String> texts = new ArrayList<>(said.size());
    boolean limited = false;
    for (Skipped what : said) {
      texts.add(what.text());
      limited |= what.isLimit();
    }
    return new MailEvidence(all, parts, depth, texts, limited, print);
  }
}
