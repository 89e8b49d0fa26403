package io.bloomgate.config.settings;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.notation.HostPort;
import io.bloomgate.config.notation.Rate;
import io.bloomgate.config.pem.PemFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything that an operator can set: one record a section of the file, one component a key, in
 * file order. Only {@link SettingsFile} makes these: sizes are octets, rates are ratios (50 % is
 * 0.5), durations are not negative, names are lower-case A-labels. Read on any thread.
 *
 * @param hostname the name in banner, EHLO and headers; {@code auto} is already resolved
 * @param domains own recipient domains as A-labels; a leading dot means the subdomains too
 * @param listeners by name, in file order, at least one
 * @param profiles by name, those that are built in among them
 * @param recipients who has which of them: by address, {@code local@}, domain or {@code .domain}
 * @param bulk {@code null}: not counted; so {@code memory}: nothing remembered; {@code fleet}: none
 */
public record Settings(
    Mode mode,
    String hostname,
    List<String> domains,
    DomainSources domainSources,
    Path stateDir,
    Map<String, Listener> listeners,
    Downstream downstream,
    Tls tls,
    Limits limits,
    MailRates rates,
    Policy policy,
    GreylistSettings greylist,
    @Nullable BulkSettings bulk,
    List<DomainName> brands,
    @Nullable MemorySettings memory,
    Dns dns,
    Feeds feeds,
    Map<Sign, Action> signs,
    Map<String, Rule> rules,
    Map<String, RecipientProfile> profiles,
    Map<String, RecipientProfile> recipients,
    TrapSettings traps,
    SpamReportSettings reports,
    Allow allow,
    Block block,
    Filter filter,
    LogSettings log,
    SessionSettings sessions,
    ReportSettings report,
    AlarmSettings alarms,
    AdminSettings admin,
    @Nullable FleetSettings fleet) {

  /** Says where the domains are from; empty when the settings name all of them. */
  public String domainsFrom() {
    return domainSources.files().isEmpty() ? "" : domainSources.summary();
  }

  /** The same after files of {@code domains} were read again. */
  public Settings with(DomainSources fresh) {
    return Copy.of(Settings.class, this, Map.of("domains", fresh.all(), "domainSources", fresh));
  }

  /**
   * One port that senders connect to.
   *
   * @param connectionRate of one client; {@code null} for as many connections as it likes
   * @param bannerName the name of the program behind that of the host
   */
  public record Listener(
      HostPort address,
      StartTls tls,
      ProxyProtocol proxyProtocol,
      List<IpPrefix> trustedProxies,
      List<IpPrefix> xclientFrom,
      int maxSessions,
      int maxSessionsPerIp,
      @Nullable Rate connectionRate,
      Duration bannerDelay,
      String bannerName) {

    /** Says whether STARTTLS is offered, and whether mail is taken without it. */
    public enum StartTls {
      NONE,
      STARTTLS,
      STARTTLS_REQUIRED,
      /** TLS from the first octet on, without STARTTLS (RFC 8314 section 3). */
      IMPLICIT
    }

    /** Says which PROXY headers are awaited before the banner. */
    public enum ProxyProtocol {
      NONE,
      V1,
      V2,
      BOTH;

      /** True when a header of the human-readable version 1 is acceptable. */
      public boolean acceptsV1() {
        return this == V1 || this == BOTH;
      }

      /** True when a header of the binary version 2 is acceptable. */
      public boolean acceptsV2() {
        return this == V2 || this == BOTH;
      }
    }
  }

  /**
   * The real mail server behind the gateway.
   *
   * @param backups tried in order while the one before is down; everything else is the same there
   * @param routes other servers for some of our domains, by domain as in {@code domains}, leading
   *     dot included; they have no routes themselves
   */
  public record Downstream(
      String host,
      int port,
      Protocol protocol,
      UpstreamTls tls,
      ClientAddress clientAddress,
      boolean reverseNames,
      int maxConnections,
      Pool pool,
      Duration connectTimeout,
      Duration greetingTimeout,
      Duration commandTimeout,
      Duration contentTimeout,
      Duration endOfDataTimeout,
      List<HostPort> backups,
      Map<String, Downstream> routes) {

    /** Every server that mail may go to here, routes included. */
    public List<String> hosts() {
      List<String> hosts = new ArrayList<>(List.of(host));
      backups.forEach(backup -> hosts.add(backup.host()));
      routes.values().forEach(route -> hosts.addAll(route.hosts()));
      return hosts;
    }

    /** The same for one server alone. */
    public Downstream at(HostPort server) {
      return Copy.of(
          Downstream.class,
          this,
          Map.of(
              "host", server.host(),
              "port", server.port(),
              "backups", List.of(),
              "routes", Map.of()));
    }

    /** The same with limits on what comes before MAIL: {@code step} for each command. */
    public Downstream within(Duration connect, Duration step) {
      return Copy.of(
          Downstream.class,
          this,
          Map.of(
              "connectTimeout", connect,
              "greetingTimeout", shorter(step, greetingTimeout),
              "commandTimeout", shorter(step, commandTimeout)));
    }

    private static Duration shorter(Duration a, Duration b) {
      return a.compareTo(b) < 0 ? a : b;
    }

    /**
     * Connections that wait for the next message of any client.
     *
     * @param maxIdle the most that wait; 0: no client gets the connection of another
     * @param idleTimeout a connection that waited so long is closed
     */
    public record Pool(int maxIdle, Duration idleTimeout) {}

    /** The protocol that is spoken with the mail server. */
    public enum Protocol {
      SMTP,
      /** RFC 2033. */
      LMTP
    }

    /** Says how strictly the connection to the mail server is encrypted. */
    public enum UpstreamTls {
      NONE,
      OPPORTUNISTIC,
      REQUIRED,
      VERIFY
    }

    /** Says how the mail server learns the client's address. */
    public enum ClientAddress {
      AUTO,
      XCLIENT,
      PROXY_V1,
      PROXY_V2,
      XFORWARD,
      NONE;

      /** True when a PROXY header goes before the mail server's greeting. */
      public boolean byProxyHeader() {
        return this == PROXY_V1 || this == PROXY_V2;
      }
    }
  }

  /**
   * The gateway's own certificates.
   *
   * @param certificates the first is for clients that ask for no name; empty for a self-signed one
   */
  public record Tls(List<PemFiles> certificates) {}

  /** Bounds on what a client may send or take; each has its own reply and counter. */
  public record Limits(
      long messageSizeOctets,
      int recipients,
      int commandLineOctets,
      long headerSizeOctets,
      int hops,
      Duration commandTimeout,
      Duration dataTimeout,
      long minDataRateOctetsPerSecond,
      Duration sessionTimeout,
      int errors,
      int commands,
      Mime mime) {

    /**
     * The shapes of MIME that reach the mail server. Others have taken servers minutes and memory.
     *
     * @param depth multiparts and messages around a part
     * @param parts parts and nested messages of a message
     * @param parameters parameters of the fields of one header
     * @param addressFields addresses, and fields of addresses, of one header
     */
    public record Mime(int depth, int parts, int parameters, int addressFields) {}
  }

  /** Says when and how verdicts are spoken. {@code url} is empty when no help page is named. */
  public record Policy(
      RejectAt rejectAt,
      List<String> exemptRecipients,
      ExemptMail exemptMail,
      List<IpPrefix> exemptNetworks,
      List<IpPrefix> forwarders,
      OnError onError,
      String url,
      BareNewline bareNewline,
      BeforeFirstLists beforeFirstLists) {

    /** The stage at which a listed client gets its refusal. */
    public enum RejectAt {
      RCPT,
      CONNECT
    }

    /** Says what happens to mail when a check itself fails. */
    public enum OnError {
      ACCEPT,
      TEMPFAIL
    }

    /** Says what happens to mail on the very first start, while no list is loaded. */
    public enum BeforeFirstLists {
      ACCEPT,
      TEMPFAIL
    }

    /** Says what happens to a bare CR or LF in content. */
    public enum BareNewline {
      REJECT,
      NORMALIZE
    }
  }

  /**
   * The blocklist feeds, by name in file order, and what guards them.
   *
   * @param proxy for sources that say nothing of their own, {@code null} for none
   * @param protect files of what no feed may list
   * @param promotion what must be known of a feed before it acts more strongly
   * @param dnsLists sources that are asked by DNS, by name in file order
   */
  public record Feeds(
      double refreshJitterRatio,
      int keepGenerations,
      Fetching.@Nullable Proxy proxy,
      List<Path> protect,
      Guard guard,
      Promotion promotion,
      Map<String, Source> sources,
      Map<String, DnsList> dnsLists) {

    /** Names of all sources. */
    public Set<String> names() {
      Set<String> names = new LinkedHashSet<>(sources.keySet());
      names.addAll(dnsLists.keySet());
      return names;
    }

    /**
     * Bounds that a new version of a feed must keep; {@code null} when switched off with {@code
     * none}.
     *
     * @param breakerNetworks networks of known senders that new entries may hit within seven days
     *     before these are held back, and never more than 5 % of all that are known
     * @param knownAfter on how many days, rounded up, a network's mail was accepted before it
     *     counts as known; zero: at once
     * @param maxGoodHits networks whose mail was accepted lately that a version may newly refuse
     *     before it is held
     */
    public record Guard(
        double maxShrink,
        double maxGrowth,
        @Nullable Double maxTurnover,
        double maxInvalid,
        int minPrefixIpv4,
        int minPrefixIpv6,
        double maxCoverage,
        @Nullable Integer breakerNetworks,
        Duration knownAfter,
        @Nullable Integer maxGoodHits) {}

    /**
     * One feed.
     *
     * @param location where it comes from
     * @param format as {@code feeds formats} names it; empty means to be detected
     * @param match {@code null} when the format decides
     * @param infoUrl empty when none
     * @param family lists of one family copy each other, and rules count them once; the feed's own
     *     name when nothing is said
     * @param guard the source's own values; the general guard is the default
     */
    public record Source(
        String name,
        Location location,
        String format,
        Set<Check> checks,
        Duration every,
        Duration staleAfter,
        Duration expireAfter,
        Action action,
        @Nullable Match match,
        boolean allowBogons,
        boolean insecure,
        String infoUrl,
        String family,
        Guard guard)
        implements AnyList {}

    /** Says how a listed name is compared with an asked one. */
    public enum Match {
      /** The name itself only. */
      EXACT,
      /** The name and everything below it. */
      SUFFIX
    }
  }

  /** Name servers in the order in which they are asked; empty for those of the system. */
  public record Dns(List<HostPort> servers) {}

  /**
   * The entries that are never refused because of a feed.
   *
   * @param knownGood files of what no filter may hit by chance; they allow nothing
   */
  public record Allow(List<Path> files, List<Path> knownGood, Set<NeverBlock> neverBlock) {

    /** Built-in protected sets. */
    public enum NeverBlock {
      PRIVATE,
      LOOPBACK,
      DOWNSTREAM,
      DOMAINS,
      MAIL_PROVIDERS,
      PUBLIC_SUFFIXES
    }
  }

  /** The operator's own block list files. */
  public record Block(List<Path> files) {}

  /** Bounds of the Bloom filters. */
  public record Filter(double falsePositiveRate, long maxMemoryOctets) {}
}
