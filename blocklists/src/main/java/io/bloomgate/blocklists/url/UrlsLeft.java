package io.bloomgate.blocklists.url;

import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.WebUrl;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What may still be read of one mail for URLs, so that a mail of links costs no more than another
 * one of its size. The reader of a mail makes one and gives it to all its {@link UrlScanner}s; of
 * one thread. Only what was read as a URL or a name is counted, so that no other text hides a link.
 */
public final class UrlsLeft {

  /** Characters of links and of names that are read of a mail. */
  public static final int MOST_READ = 4 << 20;

  /** The same in readings of the mail that few mail clients share, all of them together. */
  public static final int MOST_READ_BESIDE = 1 << 20;

  /** What a link or a name costs beside its characters, in characters. */
  static final int EACH = 32;

  /**
   * Hosts that are read by international rules of a mail; a quarter of these in the readings that
   * {@link #MOST_READ_BESIDE} is about.
   */
  public static final int MOST_MAPPED = 10_000;

  /** Bare names, which never refuse a mail, that are read of a mail. */
  public static final int MOST_BARE = 10_000;

  /** Those of them that are read by international rules, found or not; a long one is several. */
  public static final int MOST_MAPPED_BARE = 2_500;

  private static final int CHARACTERS_OF_ONE = 16;

  /**
   * Characters of links in front of a base that wait for it, with one for each link, in all texts
   * of a mail that are open.
   */
  public static final int MOST_EARLY = 8 * 1024;

  private int read;
  private int early;
  private int joined;
  private int bracketed;
  private int bare = MOST_BARE;
  private int toMap;
  private int bareToMap;
  private final BooleanSupplier mapping = this::mayMap;
  private boolean limited;
  private long kept;

  /** The host that was asked for last, as most links of a mail have the same. */
  private @Nullable ListKey lastHost;

  private boolean lastRedirects;
  private @Nullable KnownUrls known;
  private boolean remembers = true;

  /**
   * Nothing was read so far.
   *
   * @param most characters of links and names
   */
  public UrlsLeft(int most) {
    read = most;
    joined = most / 2;
    bracketed = most / 2;
    toMap = Math.ceilDiv(MOST_MAPPED, MOST_READ / most);
    bareToMap = Math.ceilDiv(MOST_MAPPED_BARE, MOST_READ / most);
  }

  /** The same for a whole mail. */
  public UrlsLeft() {
    this(MOST_READ);
  }

  /**
   * As {@link WebUrl#asked} reads it, {@code null} for none; a link that comes again is known. The
   * host may be international while there are not too many: one that is mapped takes the time of
   * many others, so that they have a bound of their own.
   */
  @Nullable WebUrl asked(char[] text, int from, int to) {
    return asked(text, from, to, mapping);
  }

  /** The same with a host that was read before. */
  @Nullable WebUrl joined(char[] text) {
    return asked(text, 0, text.length, () -> true);
  }

  private @Nullable WebUrl asked(char[] text, int from, int to, BooleanSupplier mayMap) {
    if (!remembers) {
      return WebUrl.asked(text, from, to, mayMap).orElse(null);
    }
    KnownUrls urls = known == null ? new KnownUrls() : known;
    known = urls;
    int before = urls.keptOctets();
    WebUrl url = urls.asked(text, from, to, mayMap);
    keep(urls.keptOctets() - before);
    return url;
  }

  /** True for the host of a redirector. */
  boolean isRedirector(ListKey host) {
    if (!host.equals(lastHost)) {
      lastHost = host;
      lastRedirects = Redirectors.isRedirector(host);
    }
    return lastRedirects;
  }

  /** False when no more may be read. */
  boolean mayRead() {
    limited |= read == 0;
    return read > 0;
  }

  /** Takes characters that were read as links or names. */
  void read(long characters) {
    read = (int) Math.max(0, read - characters);
  }

  /**
   * Takes characters of a relative link and of its base; false when no more may be joined. A long
   * base makes a URL of many characters of each short link, and hides no other links.
   */
  boolean mayJoin(int characters) {
    joined = Math.max(0, joined - characters);
    limited |= joined == 0;
    return joined > 0;
  }

  /**
   * Takes characters of a URL that has white space inside; false when no more may be read. Short
   * links of a long base use up what may be joined in a few kilobytes, and hide none of these.
   */
  boolean mayReadBracketed(int characters) {
    bracketed = Math.max(0, bracketed - characters);
    limited |= bracketed == 0;
    return bracketed > 0;
  }

  /** False for a name that has to be mapped when no more may be; without escapes. */
  boolean mayMap(char[] text, int from, int to) {
    return isPlain(text, from, to) || mayMap();
  }

  /** The same for a bare name. */
  boolean mayMapBare(char[] text, int from, int to) {
    if (isPlain(text, from, to)) {
      return true;
    }
    if (bareToMap == 0) {
      limited = true;
      return false;
    }
    bareToMap = Math.max(0, bareToMap - 1 - (to - from) / CHARACTERS_OF_ONE);
    return true;
  }

  private static boolean isPlain(char[] text, int from, int to) {
    boolean plain = true;
    for (int i = from; plain && i < to; i++) {
      plain = text[i] < 0x80 && (text[i] != '-' || !isAce(text, from, i));
    }
    return plain;
  }

  /** Takes a host that is mapped; false when no more may be. */
  private boolean mayMap() {
    if (toMap == 0) {
      limited = true;
      return false;
    }
    toMap--;
    return true;
  }

  private static boolean isAce(char[] text, int from, int hyphen) {
    return hyphen >= from + 3
        && text[hyphen - 1] == '-'
        && (text[hyphen - 2] | 0x20) == 'n'
        && (text[hyphen - 3] | 0x20) == 'x';
  }

  /** Takes a bare name that was found. */
  void bare() {
    bare = Math.max(0, bare - 1);
    limited |= bare == 0;
  }

  /** True as long as bare names are read. */
  boolean hasBare() {
    return bare > 0;
  }

  /** How many more of {@link #MOST_EARLY} there may be. */
  public int roomForEarly() {
    return MOST_EARLY - early;
  }

  /** Takes room of that kind, or gives it back. */
  public void keepEarly(int characters) {
    early += characters;
    keep(characters * Character.BYTES);
  }

  /** Takes memory for what is read, or gives it back; most is kept until the mail ends. */
  public void keep(int octets) {
    kept += octets;
  }

  /** Octets of memory that were taken. */
  public long keptOctets() {
    return kept;
  }

  /** Memory is short, and nobody keeps what was found: a link that comes again is read again. */
  public void rememberNone() {
    remembers = false;
    keep(known == null ? 0 : -known.keptOctets());
    known = null;
  }

  /** True when the mail has URLs that were not read. */
  public boolean isLimited() {
    return limited;
  }
}
