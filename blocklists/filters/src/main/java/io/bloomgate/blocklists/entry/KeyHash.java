package io.bloomgate.blocklists.entry;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.NamePattern;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import org.jspecify.annotations.Nullable;

/**
 * Seeded 64-bit hashes of keys for the filters; the only door to hash4j. Made once a generation by
 * the snapshot builder, asked by sessions on any thread. Immutable; allocates nothing.
 *
 * <p>PolymurHash 2.0 is used: a universal family, which bounds the chance of a collision for every
 * pair of keys chosen without the seed. The seed is random for each generation, so nobody can
 * prepare keys that hit. Each kind of key has its own tweak: an address, the network that begins
 * with it and a name never share a hash by construction. The values are part of the filter files
 * and never change (golden vectors in the test).
 */
public final class KeyHash {

  /** Version of the values; a file made with another one cannot be asked. */
  public static final int VERSION = 1;

  /**
   * Version of the rules that turn text into keys (UTS 46, case, IPv6 form); a file made under
   * other rules cannot be asked.
   */
  public static final int NORMALISATION_VERSION = 2;

  private static final long TWEAK_IP = 1;
  private static final long TWEAK_PIVOT = 2;
  private static final long TWEAK_DOMAIN = 3;
  private static final long TWEAK_LOCAL_PART = 4;
  private static final long TWEAK_ADDRESS = 5;
  private static final long TWEAK_VISIT = 6;
  private static final long TWEAK_TEXT = 7;
  private static final long TWEAK_URL = 8;
  private static final long TWEAK_PRINT = 9;

  /** Sets a literal behind the at sign apart from a name with the same hash. */
  private static final int HOST_IS_NAME = 1;

  private static final int HOST_IS_LITERAL = 2;

  private final Hasher64 ip;
  private final Hasher64 pivot;
  private final Hasher64 domain;
  private final Hasher64 localPart;
  private final Hasher64 address;
  private final Hasher64 visit;
  private final Hasher64 text;
  private final Hasher64 url;
  private final Hasher64 print;

  /** The keying of files that this release writes with a seed, which is secret. */
  public static Keying keying(long seedHigh, long seedLow) {
    return new Keying(VERSION, NORMALISATION_VERSION, seedHigh, seedLow);
  }

  /** A family member for a 128-bit random seed. */
  public KeyHash(long seedHigh, long seedLow) {
    this.ip = Hashing.polymurHash2_0(TWEAK_IP, seedHigh, seedLow);
    this.pivot = Hashing.polymurHash2_0(TWEAK_PIVOT, seedHigh, seedLow);
    this.domain = Hashing.polymurHash2_0(TWEAK_DOMAIN, seedHigh, seedLow);
    this.localPart = Hashing.polymurHash2_0(TWEAK_LOCAL_PART, seedHigh, seedLow);
    this.address = Hashing.polymurHash2_0(TWEAK_ADDRESS, seedHigh, seedLow);
    this.visit = Hashing.polymurHash2_0(TWEAK_VISIT, seedHigh, seedLow);
    this.text = Hashing.polymurHash2_0(TWEAK_TEXT, seedHigh, seedLow);
    this.url = Hashing.polymurHash2_0(TWEAK_URL, seedHigh, seedLow);
    this.print = Hashing.polymurHash2_0(TWEAK_PRINT, seedHigh, seedLow);
  }

  /** A host. */
  public long ip(IpAddress host) {
    return ip(host.high(), host.low());
  }

  /** The same for the 128 bits of a host. */
  public long ip(long high, long low) {
    return ip.hashLongLongToLong(high, low);
  }

  /**
   * A network in place of the narrower ones inside it.
   *
   * @param network its first address; host bits are zero
   * @param length in bits of the address's own family
   */
  public long pivot(IpAddress network, int length) {
    return pivot(network.high(), network.low(), length);
  }

  /** The same for the 128 bits of the network, so that masking an address makes no object. */
  public long pivot(long networkHigh, long networkLow, int length) {
    return pivot.hashLongLongLongToLong(networkHigh, networkLow, length);
  }

  /**
   * A name or one of its parents.
   *
   * @param firstLabel the leftmost label that counts, 0 for the whole name
   */
  public long domain(DomainName name, int firstLabel) {
    return suffix(name, name.labelOffset(firstLabel));
  }

  /** The same for the parent that begins at an octet; who asks for all of them walks once. */
  public long suffix(DomainName name, int from) {
    byte[] octets = name.octets();
    return domain.hashBytesToLong(octets, from, octets.length - from);
  }

  /** A web address. */
  public long url(WebUrl address) {
    byte[] octets = address.octets();
    return url(octets, 0, octets.length);
  }

  /** The same for an expression of a web address, which is a range of its octets. */
  public long url(byte[] octets, int from, int to) {
    return url.hashBytesToLong(octets, from, to - from);
  }

  /** A fingerprint, a likeness or an AS number. */
  public long octets(byte[] value) {
    return print.hashBytesToLong(value);
  }

  /**
   * A subject by itself: a host, a network of any length, a whole name, a whole other key; a
   * pattern is found by its suffix, as that name is.
   */
  public long subject(Subject subject) {
    return switch (subject) {
      case IpPrefix network ->
          network.isHost() ? ip(network.network()) : pivot(network.network(), network.length());
      case DomainName name -> domain(name, 0);
      case NamePattern pattern -> domain.hashBytesToLong(pattern.octets());
      case MailAddress address -> address(address);
      case WebUrl address -> url(address);
      case Fingerprint value -> octets(value.octets());
      case Likeness value -> octets(value.octets());
      case AsNumber value -> octets(value.octets());
    };
  }

  /** A whole address. */
  public long address(MailAddress mailbox) {
    long local = localPart.hashCharsToLong(mailbox.localPart());
    return switch (mailbox.host()) {
      case MailAddress.Host.Name host ->
          address.hashLongLongLongToLong(local, domain(host.name(), 0), HOST_IS_NAME);
      case MailAddress.Host.Literal host ->
          address.hashLongLongLongToLong(local, ip(host.address()), HOST_IS_LITERAL);
    };
  }

  /**
   * A sender's mail for a domain, for greylisting.
   *
   * @param network of the client
   * @param sender {@code null} for none
   * @param recipient domain of the recipient
   */
  public long visit(IpAddress network, @Nullable DomainName sender, String recipient) {
    return visit.hashLongLongLongToLong(
        ip(network), sender == null ? 0 : domain(sender, 0), domain.hashCharsToLong(recipient));
  }

  /** A range of octets, for filters that are not of lists. */
  public long line(byte[] octets, int from, int to) {
    return text.hashBytesToLong(octets, from, to - from);
  }

  /** Any text, for filters that are not of lists. */
  public long text(String key) {
    return text.hashCharsToLong(key);
  }
}
