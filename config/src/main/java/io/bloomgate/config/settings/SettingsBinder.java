package io.bloomgate.config.settings;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.HostPort;
import io.bloomgate.config.notation.Names;
import io.bloomgate.config.notation.Quantities;
import io.bloomgate.config.notation.Shown;
import io.bloomgate.config.notation.Values;
import io.bloomgate.config.settings.LogSettings.Format;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.config.settings.LogSettings.Target;
import io.bloomgate.config.settings.Settings.Allow;
import io.bloomgate.config.settings.Settings.Allow.NeverBlock;
import io.bloomgate.config.settings.Settings.Block;
import io.bloomgate.config.settings.Settings.Filter;
import io.bloomgate.config.settings.Settings.Limits;
import io.bloomgate.config.settings.Settings.Listener;
import io.bloomgate.config.settings.Settings.Policy;
import io.bloomgate.config.settings.Settings.Policy.BareNewline;
import io.bloomgate.config.settings.Settings.Policy.BeforeFirstLists;
import io.bloomgate.config.settings.Settings.Policy.OnError;
import io.bloomgate.config.settings.Settings.Policy.RejectAt;
import io.bloomgate.config.settings.yaml.Section;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The whole file to {@link Settings}: asks the sections in the order of the sample file and checks
 * what holds between them. Listeners, mail servers, feeds and administration have a binder each;
 * all other sections are read here. Called by {@link SettingsFile}; one reading.
 */
final class SettingsBinder {

  /** Recipients that a server must take at least (RFC 5321, section 4.5.3.1.8). */
  private static final int MIN_RECIPIENTS = 100;

  /** Octets of a command line that a server must take at least (RFC 5321, section 4.5.3.1.4). */
  private static final int MIN_COMMAND_LINE = 512;

  /** Bits of the longest prefix that no admin means for a few forwarders. */
  private static final int WIDEST_FORWARDER = 8;

  /** The highest rate: above one in two a filter would filter nothing. */
  private static final double MAX_FALSE_POSITIVE_RATE = 0.5;

  /** One word before {@code [pid]:} that every syslog reader reads back. */
  private static final Values.Reader<String> SYSLOG_TAG =
      Values.matching(
          "text",
          "[A-Za-z0-9][A-Za-z0-9._/-]{0,63}",
          "is not a syslog tag",
          "write up to 64 letters, digits and . _ / -, for example postfix/smtpd");

  private static final String FILE_PREFIX = "file:";

  private SettingsBinder() {}

  static Settings bind(Section root) {
    Mode mode = root.value("mode", "observe", Values.dashed(Mode.class));
    String name = hostname(root);
    List<String> elements = DomainSources.elements(root);
    Path stateDir = stateDir(root);
    DomainSources domains = DomainSources.read(root, elements, stateDir);
    Map<String, Listener> listeners = ListenerBinder.bind(root);
    Settings.Downstream downstream = DownstreamBinder.bind(root.section("downstream"));
    Settings.Tls tls = ListenerBinder.tls(root.section("tls"));
    Limits limits = limits(root.section("limits"));
    MailRates rates = MailRates.bind(root.section("rates"));
    Policy policy = policy(root.section("policy"));
    GreylistSettings greylist = GreylistSettings.bind(root.section("greylist"));
    BulkSettings bulk = BulkSettings.bind(root.section("content").section("bulk"));
    List<DomainName> brands =
        root.section("content").list("brands", List.of(), Values.noted("domain", Names::brand));
    Settings.Feeds listed = FeedsBinder.bind(root.section("feeds"));
    TrapSettings traps = TrapSettings.bind(root.section("traps"));
    MemorySettings memory = MemorySettings.bind(root, listed);
    SpamReportSettings reports = SpamReportSettings.bind(root.section("reports"), domains.all());
    Settings.Feeds feeds = memory == null ? listed : memory.with(listed, stateDir);
    Settings.Dns dns = dns(root.section("dns"));
    Map<Sign, Action> signs = Sign.bind(root, listeners, bulk);
    checkName(root, bulk, feeds);
    Map<String, Rule> ruled = RulesBinder.bind(root, feeds, signs);
    Map<String, Rule> rules = memory == null ? ruled : memory.with(ruled, root.section("traps"));
    Map<String, RecipientProfile> profiles =
        RecipientProfile.bind(root, feeds.names(), signs.keySet(), rules.keySet());
    Map<String, RecipientProfile> named = RecipientProfile.recipients(root, profiles, policy);
    Map<String, RecipientProfile> recipients = traps.among(named, root);
    Allow allow = allow(root.section("allow"));
    Block block = new Block(root.section("block").list("files", List.of(), root.files()));
    Filter filter = filter(root.section("filter"));
    LogSettings log = log(root.section("log"));
    return checked(
        root,
        new Settings(
            mode,
            name,
            domains.all(),
            domains,
            stateDir,
            listeners,
            downstream,
            tls,
            limits,
            rates,
            policy,
            greylist,
            bulk,
            brands,
            memory,
            dns,
            feeds,
            signs,
            rules,
            profiles,
            recipients,
            traps,
            reports,
            allow,
            block,
            filter,
            log,
            SessionSettings.bind(root.section("sessions"), log.privacy()),
            ReportSettings.bind(root.section("report"), domains.all()),
            AlarmSettings.bind(root.section("alarms"), domains.all()),
            AdminSettings.bind(root.section("admin"), stateDir),
            FleetSettings.bind(root.section("fleet"))));
  }

  /** Checks what several sections say together. */
  private static Settings checked(Section root, Settings settings) {
    ListenerBinder.check(root, settings);
    DownstreamBinder.check(root, settings);
    DnsList.check(root, settings);
    RecipientProfile.check(root, settings);
    TrapSettings.check(root, settings);
    MemorySettings.check(root.section("traps"), settings);
    return settings;
  }

  private static void checkName(Section root, @Nullable BulkSettings bulk, Settings.Feeds feeds) {
    root.section("content")
        .problemIf(
            bulk != null && feeds.sources().containsKey(Sign.BULK.key()),
            "bulk",
            "a source of feeds.sources is named bulk, as the sign of bulk mail is",
            "give the source another name");
  }

  private static Settings.Dns dns(Section s) {
    return new Settings.Dns(
        s.list("servers", List.of(), Values.noted("address", HostPort::nameServer)));
  }

  private static String hostname(Section root) {
    String said =
        root.value(
            "hostname",
            "auto",
            Values.noted(
                "auto, or a name", text -> text.equals("auto") ? text : Names.domain(text)));
    if (!said.equals("auto")) {
      return said;
    }
    String found = root.around().hostname().get();
    try {
      String name = Names.domain(found);
      root.warnIf(
          name.indexOf('.') < 0,
          "hostname",
          "this machine calls itself " + Shown.quoted(name) + ", without a domain",
          "set hostname to the full name, other servers may refuse a short one");
      return name;
    } catch (BadValueException e) {
      root.problem(
          "hostname",
          "this machine's own name " + Shown.quoted(found) + " cannot be used",
          "set hostname to the full name");
      return "localhost";
    }
  }

  private static Limits limits(Section s) {
    long size = s.value("message_size", "50MiB", Values.size("1KiB", "10GiB"));
    int recipients = s.value("recipients", "1000", Values.integer(1, 100_000));
    s.warnIf(
        recipients < MIN_RECIPIENTS,
        "recipients",
        "fewer than " + MIN_RECIPIENTS + " recipients, some senders will not split their mail",
        "RFC 5321 asks for at least " + MIN_RECIPIENTS);
    Limits limits =
        new Limits(
            size,
            recipients,
            s.value("command_line_length", "2048", Values.integer(MIN_COMMAND_LINE, 65_536)),
            s.value("header_size", "1MiB", Values.size("1KiB", "1GiB")),
            s.value("hops", "100", Values.integer(1, 1000)),
            s.value("command_timeout", "5m", Values.duration("1s", "1d")),
            s.value("data_timeout", "30m", Values.duration("1s", "1d")),
            s.value(
                "min_data_rate",
                "128/s",
                Values.noted("octets in a second", Quantities::octetsPerSecond)),
            s.value("session_timeout", "1h", Values.duration("1s", "7d")),
            s.value("errors", "20", Values.integer(1, 1_000_000)),
            s.value("commands", "1000", Values.integer(1, 1_000_000)),
            mime(s.section("mime")));
    s.warnIf(
        limits.dataTimeout().compareTo(limits.sessionTimeout()) > 0,
        "data_timeout",
        "data_timeout is longer than session_timeout, slow senders are cut earlier",
        "raise session_timeout");
    return limits;
  }

  private static Limits.Mime mime(Section s) {
    return new Limits.Mime(
        s.value("depth", "100", Values.integer(1, 10_000)),
        s.value("parts", "10000", Values.integer(1, 10_000_000)),
        s.value("parameters", "100", Values.integer(1, 1_000_000)),
        s.value("address_fields", "1000", Values.integer(1, 10_000_000)));
  }

  private static Policy policy(Section s) {
    RejectAt rejectAt = s.value("reject_at", "rcpt", Values.dashed(RejectAt.class));
    List<String> exempt =
        s.list(
            "exempt_recipients",
            List.of("postmaster", "abuse"),
            Values.noted("local part", Names::localPart));
    s.warnIf(
        rejectAt == RejectAt.CONNECT && !exempt.isEmpty(),
        "reject_at",
        "with reject_at: connect a listed client never gets as far as RCPT, so "
            + String.join(", ", exempt)
            + " cannot be spared",
        "set reject_at: rcpt, or exempt_recipients: []");
    List<IpPrefix> exemptNetworks =
        s.list("exempt_networks", List.of(), Values.noted("network", Names::network));
    List<IpPrefix> forwarders =
        s.list("forwarders", List.of(), Values.noted("network", Names::network));
    for (IpPrefix forwarder : forwarders) {
      s.warnIf(
          exemptNetworks.stream().anyMatch(forwarder::overlaps),
          "forwarders",
          forwarder + " overlaps exempt_networks, which win: nothing refuses mail from there",
          "leave it out of one of them");
      s.warnIf(
          forwarder.length() < WIDEST_FORWARDER,
          "forwarders",
          forwarder + " is wider than /" + WIDEST_FORWARDER + ": none of its clients is refused",
          "name the addresses of your forwarders");
    }
    return new Policy(
        rejectAt,
        exempt,
        s.value("exempt_mail", "apart", Values.dashed(ExemptMail.class)),
        exemptNetworks,
        forwarders,
        s.value("on_error", "accept", Values.dashed(OnError.class)),
        s.value("url", "", Values.helpPage()),
        s.value("bare_newline", "reject", Values.dashed(BareNewline.class)),
        s.value("before_first_lists", "accept", Values.dashed(BeforeFirstLists.class)));
  }

  private static Allow allow(Section s) {
    List<Path> files = s.list("files", List.of(), s.files());
    List<Path> knownGood = s.list("known_good", List.of(), s.files());
    Values.Choice<NeverBlock> words = Values.dashed(NeverBlock.class);
    return new Allow(
        files,
        knownGood,
        Values.set(s.list("never_block", List.copyOf(words.words().keySet()), words)));
  }

  private static Filter filter(Section s) {
    return new Filter(
        s.value("false_positive_rate", "0.001", Values.probability(MAX_FALSE_POSITIVE_RATE)),
        s.value("max_memory", "256MiB", Values.size("64KiB", "1024GiB")));
  }

  private static LogSettings log(Section s) {
    for (String key : List.of("retain_incidents", "max_incidents")) {
      // The first release had them, and sessions took over: a file that has them is no mistake.
      if (s.isSet(key)) {
        s.warn(
            key,
            "`log." + key + "` has no effect: sessions are kept instead of incidents",
            "set sessions.retain and sessions.max_size, and leave it out");
        s.value(key, "", text -> text);
      }
    }
    return new LogSettings(
        s.value("format", "postfix", Values.dashed(Format.class)),
        s.value(
            "target",
            "stdout",
            Values.noted("stdout, or file:PATH", text -> target(text, s.path()))),
        s.value("tag", "postfix/bloomgate/smtpd", SYSLOG_TAG),
        s.value("privacy", "full", Values.dashed(Privacy.class)),
        s.value("connections", "off", Values.dashed(LogSettings.Connections.class)));
  }

  private static Target target(String text, Values.Reader<Path> path) throws BadValueException {
    if (text.equals("stdout")) {
      return new Target.Stdout();
    }
    if (text.startsWith(FILE_PREFIX)) {
      return new Target.File(path.read(text.substring(FILE_PREFIX.length())));
    }
    if (text.equals("syslog") || text.equals("journald")) {
      throw BadValueException.of(
          text,
          "is not in this release",
          "write stdout, the service manager takes it from there, or file:PATH");
    }
    throw BadValueException.of(text, "is not a log target", "write stdout or file:PATH");
  }

  private static Path stateDir(Section root) {
    return root.value("state_dir", "/var/lib/bloomgate", root.path());
  }

  /** The path of the control socket; nothing else is read, because each command asks this. */
  static Path controlSocket(Section root) {
    return AdminSettings.socket(root.section("admin"), stateDir(root));
  }
}
