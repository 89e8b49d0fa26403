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
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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

  /** Registered names of links that a kept session has. */
  private static final int MOST_HOSTS = 8;

  /** Hashes of a kept session: 72 octets. */
  private static final int MOST_HASHES = 18;

  /**
   * A word that may name one page of a shared host; without one a URL may be a page that all users
   * have, and a list that names it names all their pages.
   */
  private static final Pattern ID =
      Pattern.compile("(?=[\\w-]{0,200}\\d)(?=[\\w-]{0,200}[A-Za-z])[\\w-]{16,}");

  /** The same on all gateways: nobody gains by a collision, because a key that has one is out. */
  private static final KeyHash HASH = new KeyHash(0x426c_6f6f_6d67_6174L, 0x6d65_6d6f_7279_3031L);

  /** A key of more octets is not remembered: anyone who writes to a trap may fill the memory. */
  private static final int MAX_OCTETS = 128;

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

  /** All keys of a mail, at most {@link #MOST_OF_A_KIND} of a kind. */
  static List<RememberedKey> of(Sighting mail) {
    return mostOfAKind(mail, ofMail(mail.keys(), mail.sender()));
  }

  /** The number of all keys of a mail. */
  public static int count(Sighting mail) {
    return of(mail).size();
  }

  /**
   * The keys of a mail that may be held against others: what an accepted copy of it would keep out.
   * Anyone writes the From header: it says nothing of its sender where the envelope has another,
   * and nothing of the links to the site that it names.
   */
  static List<RememberedKey> ofSpam(Sighting mail) {
    String sender = mail.sender() == null ? "" : registered(mail.sender(), List.of());
    String from = registered(null, mail.keys());
    return mostOfAKind(
        mail,
        kept(mail.keys(), mail.sender()).values().stream()
            .flatMap(List::stream)
            .filter(key ->
                switch (key.kind) {
                  case ADDRESS, DOMAIN -> key.registered().equals(sender);
                  case HOST -> !key.registered().equals(from);
                  case BODY, BAND, SUBJECT, URL, ATTACHMENT, NETWORK -> true;
                })
            .toList());
  }

  private static List<RememberedKey> mostOfAKind(Sighting mail, Collection<RememberedKey> keys) {
    Set<RememberedKey> all = new LinkedHashSet<>(keys);
    all.removeIf(key -> key.octets().length > MAX_OCTETS);
    if (mail.client() != null) {
      all.add(new RememberedKey(Kind.NETWORK, ClientNetwork.site(mail.client())));
    }
    return all.stream().collect(Collectors.groupingBy(RememberedKey::kind)).values().stream()
        .flatMap(some -> some.stream().limit(MOST_OF_A_KIND))
        .toList();
  }

  private static Set<RememberedKey> ofMail(
      Collection<ContentKey> content, @Nullable MailAddress sender) {
    Set<RememberedKey> all = new LinkedHashSet<>();
    if (sender != null) {
      addSender(all, sender);
    }
    all.addAll(ofContent(content));
    return all;
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
   * Hashes of what a mail carried, for those who keep its session: sender, prints, hosts of links,
   * in the order of what they keep out.
   *
   * @param sender of the envelope; {@code null} for {@code <>}
   */
  public static List<Integer> hashes(Collection<ContentKey> content, @Nullable MailAddress sender) {
    return List.copyOf(kept(content, sender).keySet());
  }

  /** Keys of which a kept session has a hash, by hash: accepted mail protects that, and no more. */
  private static Map<Integer, List<RememberedKey>> kept(
      Collection<ContentKey> content, @Nullable MailAddress sender) {
    Set<RememberedKey> all = ofMail(content, sender);
    Map<Integer, List<RememberedKey>> kept = new LinkedHashMap<>();
    Set<Kind> links = EnumSet.of(Kind.HOST, Kind.URL);
    Set<Kind> files = EnumSet.of(Kind.ATTACHMENT);
    Set<Kind> others = EnumSet.complementOf(EnumSet.of(Kind.HOST, Kind.URL, Kind.ATTACHMENT));
    keep(kept, all, others, MOST_HASHES);
    keep(kept, all, links, Math.min(MOST_HASHES, kept.size() + MOST_HOSTS));
    keep(kept, all, files, MOST_HASHES);
    return kept;
  }

  private static void keep(
      Map<Integer, List<RememberedKey>> kept, Set<RememberedKey> all, Set<Kind> kinds, int most) {
    for (RememberedKey key : all) {
      if (kinds.contains(key.kind) && (kept.size() < most || kept.containsKey(key.hash()))) {
        kept.computeIfAbsent(key.hash(), _ -> new ArrayList<>()).add(key);
      }
    }
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

  /** The registered domain of a name or of a sender's address; empty where it has none. */
  private String registered() {
    return switch (subject) {
      case DomainName name -> registered(name).toString();
      case MailAddress address -> registered(address, List.of());
      default -> "";
    };
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
