package io.bloomgate.blocklists.memory;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.guard.MailProviders;
import io.bloomgate.blocklists.url.SharedHosts;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.NameList;
import io.bloomgate.config.name.PublicSuffixes;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A key of a mail as the memory has it. Made of sightings, and of accepted mail to keep its keys
 * out; any thread, pure. Immutable.
 */
public record RememberedKey(Kind kind, Subject subject) {

  /** Keys of a kind that are remembered of a mail: a mail can name any number of others' hosts. */
  static final int MOST_OF_A_KIND = 16;

  /** Hosts of links that a kept session has. */
  private static final int MOST_HOSTS = 8;

  /** Hashes of a kept session: 64 octets. */
  static final int MOST_HASHES = 16;

  /**
   * A word that may name one page of a shared host; without one a URL may be a page that all users
   * have, and a list that names it names all their pages.
   */
  private static final Pattern ID =
      Pattern.compile("(?=[\\w-]{0,200}\\d)(?=[\\w-]{0,200}[A-Za-z])[\\w-]{16,}");

  /** The same on all gateways: nobody gains by a collision, because a key that has one is out. */
  private static final KeyHash HASH = new KeyHash(0x426c_6f6f_6d67_6174L, 0x6d65_6d6f_7279_3031L);

  /** The kinds of keys. */
  public enum Kind {
    /** The print of the text. */
    BODY('b'),
    /** A piece of the likeness of the text. */
    BAND('l'),
    SUBJECT('s'),
    /** A URL at a shared host. */
    URL('u'),
    /** A host of a link that is not shared. */
    HOST('h'),
    ATTACHMENT('a'),
    /** A sender's address, of header or envelope. */
    ADDRESS('f'),
    /** A sender's domain, but that of a mailbox provider. */
    DOMAIN('d'),
    /** The network of the client. */
    NETWORK('n');

    /** Its octet in the store, which never changes. */
    private final byte code;

    Kind(char code) {
      this.code = (byte) code;
    }

    private static Optional<Kind> of(byte code) {
      return Arrays.stream(values()).filter(kind -> kind.code == code).findFirst();
    }
  }

  /** The keys of a sighting, at most {@link #MOST_OF_A_KIND} of a kind. */
  static List<RememberedKey> of(Sighting mail) {
    Set<RememberedKey> all = new LinkedHashSet<>(ofContent(mail.keys()));
    if (mail.sender() != null) {
      addSender(all, mail.sender());
    }
    if (mail.client() != null) {
      all.add(new RememberedKey(Kind.NETWORK, ClientNetwork.site(mail.client())));
    }
    return all.stream().collect(Collectors.groupingBy(RememberedKey::kind)).values().stream()
        .flatMap(some -> some.stream().limit(MOST_OF_A_KIND))
        .toList();
  }

  private static Set<RememberedKey> ofContent(Collection<ContentKey> keys) {
    Set<RememberedKey> all = new LinkedHashSet<>();
    for (ContentKey one : keys) {
      if (one.place() == Place.OPEN) {
        add(all, one.check(), one.key());
      }
    }
    return all;
  }

  private static void add(Set<RememberedKey> all, Check check, ListKey key) {
    switch (key) {
      case Fingerprint print -> {
        switch (check) {
          case BODY ->
              all.add(new RememberedKey(Likeness.isBand(print) ? Kind.BAND : Kind.BODY, print));
          case SUBJECT -> all.add(new RememberedKey(Kind.SUBJECT, print));
          default -> all.add(new RememberedKey(Kind.ATTACHMENT, print));
        }
      }
      case WebUrl url -> {
        if (SharedHosts.isShared(url.host()) && isOnePage(url)) {
          all.add(new RememberedKey(Kind.URL, url));
        }
      }
      case DomainName name -> {
        if (check == Check.FROM_DOMAIN) {
          addDomain(all, name);
        } else if (check == Check.URL_HOST
            && !SharedHosts.isShared(name)
            && !NameList.EVERYDAY.contains(name)) {
          all.add(new RememberedKey(Kind.HOST, name));
        }
      }
      case IpAddress host -> all.add(new RememberedKey(Kind.HOST, IpPrefix.host(host)));
      case MailAddress from -> all.add(new RememberedKey(Kind.ADDRESS, from));
      case Likeness _, AsNumber _ -> {} // bands of a likeness are separate keys
    }
  }

  /** True for the page of one user at a host that is no short link, and of no folder. */
  private static boolean isOnePage(WebUrl url) {
    String text = url.toString();
    return !text.endsWith("/")
        && ID.matcher(text).find(url.hostEnd())
        && !(url.host() instanceof DomainName name && NameList.REDIRECTORS.contains(name));
  }

  private static void addSender(Set<RememberedKey> all, MailAddress sender) {
    all.add(new RememberedKey(Kind.ADDRESS, sender));
    if (sender.host() instanceof MailAddress.Host.Name(DomainName domain)) {
      addDomain(all, domain);
    }
  }

  private static void addDomain(Set<RememberedKey> all, DomainName domain) {
    if (!MailProviders.names().contains(domain)) {
      all.add(new RememberedKey(Kind.DOMAIN, domain));
    }
  }

  /**
   * Hashes of what a mail carried, for those who keep its session: prints, sender, hosts of links,
   * in the order of what they keep out.
   */
  public static List<Integer> hashes(Collection<ContentKey> content) {
    Set<Integer> links = new LinkedHashSet<>();
    Set<Integer> files = new LinkedHashSet<>();
    Set<Integer> all = new LinkedHashSet<>();
    for (RememberedKey key : ofContent(content)) {
      switch (key.kind) {
        case HOST, URL -> links.add(key.hash());
        case ATTACHMENT -> files.add(key.hash());
        case BODY, BAND, SUBJECT, ADDRESS, DOMAIN, NETWORK -> all.add(key.hash());
      }
    }
    links.removeAll(all);
    links.stream().limit(MOST_HOSTS).forEach(all::add);
    all.addAll(files);
    return all.stream().limit(MOST_HASHES).toList();
  }

  /** The hashes of client and sender of accepted mail. */
  static List<Integer> hashes(IpAddress client, String senderDomain) {
    List<Integer> hashes = new ArrayList<>();
    hashes.add(new RememberedKey(Kind.NETWORK, ClientNetwork.site(client)).hash());
    DomainName.parse(senderDomain)
        .toOptional()
        .ifPresent(name -> hashes.add(new RememberedKey(Kind.DOMAIN, name).hash()));
    return hashes;
  }

  /**
   * A number by which accepted mail is compared: one of four thousand million. All names of one
   * owner are one: who links to or writes from one of them is no reason to doubt the others.
   */
  private int hash() {
    return (int)
        HASH.text(
            subject instanceof DomainName name ? "NAME " + registered(name) : kind + " " + subject);
  }

  /** The hashes of which each keeps the key out; of an address that of its domain does, too. */
  List<Integer> keptOutBy() {
    Set<RememberedKey> keys = new LinkedHashSet<>(List.of(this));
    if (subject instanceof MailAddress address
        && address.host() instanceof MailAddress.Host.Name(DomainName domain)) {
      addDomain(keys, domain);
    }
    return keys.stream().map(RememberedKey::hash).toList();
  }

  /** The domain that counts as one sender: the one that was registered; empty for none. */
  static String registered(@Nullable MailAddress sender, List<ContentKey> content) {
    Optional<DomainName> domain =
        sender != null && sender.host() instanceof MailAddress.Host.Name(DomainName name)
            ? Optional.of(name)
            : content.stream()
                .filter(key -> key.check() == Check.FROM_DOMAIN)
                .map(key -> (DomainName) key.key())
                .findFirst();
    return domain.map(RememberedKey::registered).map(DomainName::toString).orElse("");
  }

  private static DomainName registered(DomainName name) {
    for (int label = 1; label < name.labels(); label++) {
      if (label == name.labels() - 1 || PublicSuffixes.contains(name.from(label))) {
        return name.from(label - 1);
      }
    }
    return name;
  }

  /** The octets in the store: the kind, then the value. */
  byte[] octets() {
    byte[] value =
        subject instanceof Fingerprint print
            ? kind == Kind.BAND ? Likeness.ofBand(print) : print.octets()
            : subject.written().getBytes(UTF_8);
    return ByteBuffer.allocate(1 + value.length).put(kind.code).put(value).array();
  }

  /** The key of these octets; empty for those that this release did not write. */
  static Optional<RememberedKey> of(byte[] octets) {
    return octets.length < 2
        ? Optional.empty()
        : Kind.of(octets[0])
            .flatMap(kind ->
                subject(kind, Arrays.copyOfRange(octets, 1, octets.length))
                    .map(read -> new RememberedKey(kind, read)));
  }

  private static Optional<? extends Subject> subject(Kind kind, byte[] value) {
    return switch (kind) {
      case BODY, SUBJECT, ATTACHMENT ->
          value.length == Fingerprint.OCTETS
              ? Optional.of(Fingerprint.of(value))
              : Optional.empty();
      case BAND -> Likeness.band(value);
      case URL, HOST, ADDRESS, DOMAIN, NETWORK ->
          Subject.parse(new String(value, UTF_8)).toOptional();
    };
  }
}
