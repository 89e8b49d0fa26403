package io.bloomgate.config.settings;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.Keyed;
import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.HostPort;
import io.bloomgate.config.notation.Names;
import io.bloomgate.config.notation.Shown;
import io.bloomgate.config.notation.Values;
import io.bloomgate.config.notation.Values.Choice;
import io.bloomgate.config.settings.yaml.Section;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A list that is asked by DNS, one subject at a time (RFC 5782): a source with {@code dns} or
 * {@code dns_of}. Reads itself, and what it must agree on with other lists, with its key and with
 * the name servers, once for each reading of the settings. Immutable.
 *
 * @param zone without the key
 * @param keyFile its content is the label in front of the zone; {@code null} for none
 * @param hosts what it knows of the hosts that mails carry
 * @param codes answers that are listings; any other answer is none
 * @param timeout how long a decision waits for the answer, counted from the question
 * @param family as of feeds
 * @param infoUrl empty when none
 * @param testName a name that the list always lists, to see whether it works
 */
public record DnsList(
    String name,
    String zone,
    @Nullable Path keyFile,
    Set<Check> checks,
    Set<Hosts> hosts,
    List<Codes> codes,
    Duration timeout,
    Action action,
    String family,
    String infoUrl,
    String testName)
    implements AnyList {

  /** True when its answers are sums of bits. */
  public boolean hasBits() {
    return codes.stream().anyMatch(range -> range.bits() != 0);
  }

  /** Something that a list knows of the hosts of links, From and Reply-To. */
  public enum Hosts implements Keyed {
    /** Whole names; the list has what is below its entries too. */
    NAMES,
    /** Names that somebody registered: what is directly below a public suffix or a shared host. */
    REGISTERED,
    /** Hosts that are addresses. */
    ADDRESSES,
    /** Hosts that serve the pages of strangers, and redirectors. */
    SHARED
  }

  /**
   * Answers of the form {@code 127.0.0.2-11}: a number, or a range of numbers, for each octet; or
   * answers whose last octet is a sum that has one of these bits.
   *
   * @param low the first number of each octet, first octet in the highest bits
   * @param high the last number of each octet
   * @param bits 0 where the whole last octet counts
   */
  public record Codes(int low, int high, int bits) {

    /** The bit by which such lists say that they refuse to answer. */
    public static final int REFUSED_BIT = 1;

    /** A range for each octet. */
    public Codes(int low, int high) {
      this(low, high, 0);
    }

    /** Answers 127.0.0.N whose N has this bit. */
    static Codes ofBit(int bit) {
      return new Codes(0x7f000000, 0x7f0000ff, bit);
    }

    /** True when each octet of this IPv4 address is in its range. */
    public boolean contains(int address) {
      if (bits != 0 && ((address & bits) == 0 || (address & REFUSED_BIT) != 0)) {
        return false;
      }
      for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
        int octet = address >>> shift & 0xff;
        if (octet < (low >>> shift & 0xff) || octet > (high >>> shift & 0xff)) {
          return false;
        }
      }
      return true;
    }

    /** The range as the settings write it, or the bit. */
    public String text() {
      if (bits != 0) {
        return "bit " + bits;
      }
      StringBuilder text = new StringBuilder();
      for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
        int from = low >>> shift & 0xff;
        int to = high >>> shift & 0xff;
        text.append(text.isEmpty() ? "" : ".").append(from).append(from == to ? "" : "-" + to);
      }
      return text.toString();
    }
  }

  /** A decision waits no longer for any list; senders give up a silent server after minutes. */
  private static final String LONGEST_WAIT = "10s";

  /** The answers that RFC 5782 section 2.1 allows, without 127.0.0.1, which no list may answer. */
  private static final List<String> ANY_LISTING = List.of("127.0.0.2-255");

  /** RFC 5782 section 5: the name that each list of names lists. */
  private static final String TEST = "test";

  private static final Choice<Check> CHECKS =
      Values.choice(
          List.of(
              Check.CLIENT_IP,
              Check.CLIENT_NAME,
              Check.HELO,
              Check.SENDER_DOMAIN,
              Check.FROM_DOMAIN,
              Check.REPLY_TO_DOMAIN,
              Check.URL_HOST,
              Check.ATTACHMENT),
          Check::key);

  /** The parts of a last octet that is a sum; the bit 1 says that the question was refused. */
  private static final Choice<Integer> BITS =
      Values.choice(List.of(2, 4, 8, 16, 32, 64, 128), String::valueOf);

  private static final String OCTET = "(\\d{1,3})(?:-(\\d{1,3}))?";
  private static final Pattern CODES =
      Pattern.compile(OCTET + "\\." + OCTET + "\\." + OCTET + "\\." + OCTET);
  private static final int OCTETS = 4;

  private static final int LOOPBACK = 127;
  private static final int LAST = 255;

  /** Second and third octet. */
  private static final int ERROR_OCTETS = 0x00ffff00;

  /** The name that replaces a zone that could not be read. */
  private static final String NO_ZONE = "invalid";

  /** Zones of Spamhaus that answer only with a key in front of them. */
  private static final String DQS = "dq.spamhaus.net";

  /** Labels of such a zone without its key, as in {@code zen.dq.spamhaus.net}. */
  private static final int DQS_LABELS = 4;

  /** Google, Cloudflare and Quad9. */
  private static final List<String> PUBLIC_RESOLVERS =
      List.of(
          ("8.8.8.8 8.8.4.4 2001:4860:4860::8888 2001:4860:4860::8844"
                  + " 1.1.1.1 1.0.0.1 2606:4700:4700::1111 2606:4700:4700::1001"
                  + " 9.9.9.9 149.112.112.112 2620:fe::fe 2620:fe::9")
              .split(" "));

  /** True for a source that is asked by DNS. */
  static boolean isDns(Section s) {
    return s.isSet("dns") || s.isSet("dns_of");
  }

  /** Reads these sources, in the order of the file. */
  public static Map<String, DnsList> bind(Map<String, Section> sections) {
    Map<String, DnsList> lists = new LinkedHashMap<>();
    sections.values().forEach(DnsList::refuseFeed);
    sections.forEach((name, s) -> lists.put(name, s.isSet("dns") ? zone(name, s) : null));
    sections.forEach((name, s) -> {
      if (!s.isSet("dns")) {
        lists.put(name, part(name, s, lists));
      }
    });
    return Collections.unmodifiableMap(lists);
  }

  private static void refuseFeed(Section s) {
    for (String key : List.of("url", "file")) {
      s.refuseForeign(
          key,
          "a source has `" + (s.isSet("dns") ? "dns" : "dns_of") + "` and `" + key + "`",
          "a source is one of url, file, dns, dns_of; keep one of them");
    }
  }

  private static DnsList zone(String name, Section s) {
    s.problemIf(s.isSet("dns_of"), "dns_of", "a source has `dns` and `dns_of`", "keep one of them");
    String zone = s.required("dns", "dns: ZONE", Values.noted("domain", Names::domain), NO_ZONE);
    Path key = s.orNull("key_file", s.path());
    return list(
        s,
        name,
        zone,
        key,
        List.of(Check.CLIENT_IP.key()),
        Set.of(),
        name,
        s.value("test_name", TEST, Values.noted("domain", DnsList::testName)));
  }

  /** Lists of hashes have labels that begin with an underscore (RFC 8552). */
  private static String testName(String text) throws BadValueException {
    var _ = Names.domain(text.replace("._", "."));
    return text.toLowerCase(Locale.ROOT);
  }

  /** Some codes of a zone that another source names: it is asked once for both. */
  private static DnsList part(String name, Section s, Map<String, DnsList> lists) {
    String of = s.value("dns_of", "", Values.noted("name of a list", text -> text));
    @Nullable DnsList whole = lists.get(of);
    if (whole == null || of.equals(name)) {
      s.problem(
          "dns_of",
          Shown.quoted(of) + " is not a source with `dns`",
          "name a source of feeds.sources that has `dns: ZONE`");
      return list(s, name, NO_ZONE, null, List.of(Check.CLIENT_IP.key()), Set.of(), name, TEST);
    }
    List<String> checks = whole.checks().stream().map(Check::key).toList();
    return list(
        s,
        name,
        whole.zone(),
        whole.keyFile(),
        checks,
        whole.hosts(),
        whole.family(),
        whole.testName());
  }

  private static DnsList list(
      Section s,
      String name,
      String zone,
      @Nullable Path key,
      List<String> checks,
      Set<Hosts> hosts,
      String family,
      String testName) {
    Set<Check> asked = Values.set(s.list("checks", checks, CHECKS));
    s.problemIf(
        asked.isEmpty(),
        "checks",
        "a list without checks is asked about nothing",
        "name some of: " + String.join(", ", CHECKS.words().keySet()));
    Action action = s.value("action", "observe", Values.dashed(Action.class));
    FeedsBinder.checkGreylist(s, action, asked);
    return new DnsList(
        name,
        zone,
        key,
        asked,
        hosts(s, hosts, asked),
        codes(s),
        s.value("timeout", "2s", Values.duration("1s", LONGEST_WAIT)),
        action,
        s.value("family", family, Values.noted("name", Names::entryName)),
        s.value("info_url", "", Values.helpPage()),
        testName);
  }

  /** A list of senders' addresses knows addresses in links, too; any other list knows names. */
  private static Set<Hosts> hosts(Section s, Set<Hosts> ofZone, Set<Check> asked) {
    Hosts usual = asked.contains(Check.CLIENT_IP) ? Hosts.ADDRESSES : Hosts.NAMES;
    Set<Hosts> fallback = ofZone.isEmpty() ? Set.of(usual) : ofZone;
    return Values.set(
        s.list("hosts", fallback.stream().map(Hosts::key).toList(), Values.dashed(Hosts.class)));
  }

  private static List<Codes> codes(Section s) {
    List<Codes> codes = new ArrayList<>();
    s.list("bits", List.of(), BITS).forEach(bit -> codes.add(Codes.ofBit(bit)));
    List<String> others = codes.isEmpty() ? ANY_LISTING : List.of();
    codes.addAll(s.list("codes", others, Values.noted("address or range", DnsList::codes)));
    return List.copyOf(codes);
  }

  private static Codes codes(String text) throws BadValueException {
    Matcher octets = CODES.matcher(text);
    String hint = "write for example 127.0.0.2 or 127.0.0.2-11";
    if (!octets.matches()) {
      throw BadValueException.of(text, "is not an answer of a DNS list", hint);
    }
    int low = 0;
    int high = 0;
    for (int i = 0; i < OCTETS; i++) {
      int from = Integer.parseInt(octets.group(2 * i + 1));
      int to = octets.group(2 * i + 2) == null ? from : Integer.parseInt(octets.group(2 * i + 2));
      if (from > to || to > LAST) {
        throw BadValueException.of(text, "has an octet out of order", hint);
      }
      low = low << Byte.SIZE | from;
      high = high << Byte.SIZE | to;
    }
    if (low >>> (Integer.SIZE - Byte.SIZE) != LOOPBACK
        || high >>> (Integer.SIZE - Byte.SIZE) != LOOPBACK) {
      throw BadValueException.of(text, "is outside 127.0.0.0/8, where DNS lists answer", hint);
    }
    Codes codes = new Codes(low, high);
    if (isError(codes)) {
      throw BadValueException.of(
          text, "holds answers of 127.255.255.0/24, which report errors", hint);
    }
    return codes;
  }

  /** 127.255.255.0/24 reports an error of the question, by agreement of the large lists. */
  private static boolean isError(Codes codes) {
    return (codes.high() & ERROR_OCTETS) == ERROR_OCTETS;
  }

  /** Warns of lists that can be read and will not do what is meant. */
  static void check(Section root, Settings settings) {
    for (DnsList list : settings.feeds().dnsLists().values()) {
      Section section = root.section("feeds").section("sources").section(list.name());
      if (section.isSet("dns") && !section.hasFailed("dns")) {
        checkKey(list, section);
        checkTestName(list, section);
      }
    }
    boolean asks = !settings.feeds().dnsLists().isEmpty();
    for (HostPort server : asks ? settings.dns().servers() : List.<HostPort>of()) {
      root.section("dns")
          .warnIf(
              PUBLIC_RESOLVERS.stream().anyMatch(open -> Names.sameHost(open, server.host())),
              "servers",
              "most DNS lists refuse questions that come through the public resolver "
                  + server.host(),
              "run a resolver on this machine, for example unbound, and write [127.0.0.1]");
    }
  }

  private static void checkKey(DnsList list, Section section) {
    Path file = list.keyFile();
    if (file != null) {
      KeyFiles.problem(section, file, SecretFile::read)
          .ifPresent(wrong ->
              section.warn(
                  "key_file",
                  wrong,
                  "write the key into it as one line, let the gateway's group read it, and"
                      + " chmod 640"));
    } else if (list.zone().endsWith("." + DQS)) {
      boolean keyInZone = list.zone().split("\\.", -1).length > DQS_LABELS;
      section.warn(
          "dns",
          keyInZone
              ? "the key is a part of the zone's name, which logs and `config show` print"
              : "the zones of " + DQS + " answer only with a key",
          (keyInZone ? "write the zone without it" : "ask Spamhaus for one")
              + ", and write key_file: PATH of a file that holds the key");
    }
  }

  private static void checkTestName(DnsList list, Section section) {
    section.warnIf(
        !list.checks().contains(Check.CLIENT_IP)
            && !list.checks().isEmpty()
            && !section.isSet("test_name"),
        "checks",
        ("the list is tested with the name `%s`, which not every list of names has, and is off"
                + " while the test fails")
            .formatted(list.testName()),
        "write test_name: a name that the list always lists (Spamhaus DBL: dbltest.com)");
  }
}
