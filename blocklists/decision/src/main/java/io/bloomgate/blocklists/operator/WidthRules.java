package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorRules.Refusal;
import io.bloomgate.blocklists.url.SharedHosts;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.NamePattern;
import io.bloomgate.config.name.WebUrl;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds entries that are too wide to be taken without {@code --force} (rules of decision in
 * gateway/README.md): allow wider than /16 or /32 (IPv6) or a public suffix, block wider than /8 or
 * /19, and blocks of own domains or of the mail server, blocks of URLs of a host that strangers
 * share. Immutable and pure; made again at each reload of the settings.
 *
 * @param another asked of what these rules let pass
 * @param settings the settings that {@code another} depends on
 */
public record WidthRules(
    Own ownDomains,
    List<IpPrefix> mailServers,
    List<IpPrefix> exemptNetworks,
    Predicate<DomainName> publicSuffix,
    Function<NewEntry, Optional<Refusal>> another,
    String settings) {

  /** The shortest length, in bits, that a list takes without force. */
  private static int shortest(ListKind list, IpPrefix prefix) {
    return switch (list) {
      case ALLOW -> prefix.isV4() ? 16 : 32;
      case BLOCK -> prefix.isV4() ? 8 : 19;
    };
  }

  /**
   * Own domains for look-ups: there may be thousands of them, and of entries.
   *
   * @param atOrBelow for each name that is ours or has one of ours below it, that one
   * @param trees the names below which all is ours
   * @param hash of the texts, the same in each run of the program
   */
  record Own(Map<DomainName, DomainName> atOrBelow, Set<DomainName> trees, int hash) {

    static Own of(Collection<String> texts) {
      Map<DomainName, DomainName> atOrBelow = new HashMap<>();
      Set<DomainName> trees = new HashSet<>();
      for (String text : texts) {
        boolean tree = text.startsWith(".");
        DomainName.parse(tree ? text.substring(1) : text)
            .toOptional()
            .ifPresent(name -> {
              above(name).forEach(one -> atOrBelow.putIfAbsent(one, name));
              if (tree) {
                trees.add(name);
              }
            });
      }
      return new Own(Map.copyOf(atOrBelow), Set.copyOf(trees), Set.copyOf(texts).hashCode());
    }

    /** The name itself and the names that it is below. */
    private static Stream<DomainName> above(DomainName name) {
      return IntStream.rangeClosed(0, name.labels() - 2).mapToObj(name::from);
    }

    /** An own domain that has names in a pattern, or that holds the pattern. */
    Optional<DomainName> touching(NamePattern pattern) {
      return pattern.domain().isPresent()
          ? touching(pattern.domain().get())
          : atOrBelow.values().stream().filter(pattern::covers).findFirst();
    }

    /** The own domain at, above or below a name. */
    Optional<DomainName> touching(DomainName name) {
      return Optional.ofNullable(atOrBelow.get(name))
          .or(() -> above(name).filter(trees::contains).findFirst());
    }
  }

  /**
   * Rules for one installation.
   *
   * @param ownDomains domains that we receive mail for, as the settings have them: a leading dot
   *     means what is below as well
   * @param mailServers addresses of the mail server behind us and of trusted proxies
   * @param exemptNetworks clients that nothing refuses
   * @param publicSuffix true for names under which anybody can register
   */
  public WidthRules(
      Collection<String> ownDomains,
      Collection<IpPrefix> mailServers,
      Collection<IpPrefix> exemptNetworks,
      Predicate<DomainName> publicSuffix) {
    this(
        Own.of(ownDomains),
        List.copyOf(mailServers),
        List.copyOf(exemptNetworks),
        publicSuffix,
        entry -> Optional.empty(),
        "");
  }

  /**
   * The same rules, and this one behind them.
   *
   * @param settings what the rule depends on
   */
  public WidthRules and(Function<NewEntry, Optional<Refusal>> rule, String settings) {
    return new WidthRules(ownDomains, mailServers, exemptNetworks, publicSuffix, rule, settings);
  }

  /** Rules of an installation that exempts no client. */
  public WidthRules(
      Collection<String> ownDomains,
      Collection<IpPrefix> mailServers,
      Predicate<DomainName> publicSuffix) {
    this(ownDomains, mailServers, List.of(), publicSuffix);
  }

  /**
   * Returns a hash of the settings that these rules depend on: an equal one needs no second look.
   */
  String fingerprint() {
    return Integer.toHexString(
        (ownDomains.hash + " " + mailServers + " " + exemptNetworks + " " + settings).hashCode());
  }

  /** The first rule that the entry breaks. */
  public Optional<Refusal> check(NewEntry entry) {
    return checkWidth(entry).or(() -> another.apply(entry));
  }

  private Optional<Refusal> checkWidth(NewEntry entry) {
    IpPrefix from = entry.from();
    if (from != null && from.length() < shortest(ListKind.ALLOW, from)) {
      return tooWide("--from " + from, shortest(ListKind.ALLOW, from));
    }
    return switch (entry.subject()) {
      case IpPrefix prefix -> checkNetwork(entry, prefix);
      case DomainName name ->
          checkDomain(entry, name)
              .or(() ->
                  entry.scope().contains(Check.URL_HOST)
                      ? checkUrlHost(entry, name)
                      : Optional.empty());
      case NamePattern pattern ->
          pattern.isOfAddresses() ? Optional.empty() : below(entry, pattern);
      // A URL without a path means all URLs of its host.
      case WebUrl url ->
          url.isHostOnly() && url.host() instanceof DomainName host
              ? checkDomain(entry, host).or(() -> checkUrlHost(entry, host))
              : Optional.empty();
      case MailAddress _, Fingerprint _, Likeness _, AsNumber _ -> Optional.empty();
    };
  }

  /** Names below an own domain, or below what strangers share. */
  private Optional<Refusal> below(NewEntry entry, NamePattern pattern) {
    Optional<DomainName> own =
        entry.list() == ListKind.BLOCK ? ownDomains.touching(pattern) : Optional.empty();
    if (own.isPresent()) {
      return Refusal.unlessForced(
          pattern + " and your own domain " + own.get() + " meet", hintOfOwn(entry));
    }
    return pattern.domain().filter(name -> !publicSuffix.test(name)).isPresent()
        ? Optional.empty()
        : Refusal.unlessForced(
            pattern + " means every name below a public suffix: anybody can register one",
            "name the registered domain, or repeat the command with --force");
  }

  private static String hintOfOwn(NewEntry entry) {
    return (entry.scope().contains(Check.CLIENT_NAME)
            ? "mail of your own hosts"
            : "mail that your users send through other servers")
        + " would be refused; repeat the command with --force if you mean it";
  }

  /** Strangers have pages below the name, or at it: few of them are meant. */
  private Optional<Refusal> checkUrlHost(NewEntry entry, DomainName name) {
    if (entry.list() != ListKind.BLOCK) {
      return Optional.empty();
    }
    if (publicSuffix.test(name)) {
      return Refusal.unlessForced(
          name + " is a public suffix: strangers have their pages below it",
          "block the host or the URL that you mean, or repeat the command with --force");
    }
    return SharedHosts.isShared(name)
        ? Refusal.unlessForced(
            name + " is a shared host: it serves the pages of many strangers",
            "block the URL that you mean with --url https://%s/PATH, or repeat the command with"
                    .formatted(name)
                + " --force")
        : Optional.empty();
  }

  private Optional<Refusal> checkNetwork(NewEntry entry, IpPrefix prefix) {
    int shortest = shortest(entry.list(), prefix);
    if (prefix.length() < shortest) {
      return tooWide(prefix.toString(), shortest);
    }
    return entry.list() == ListKind.BLOCK
        ? overlapping(prefix, mailServers)
            .flatMap(own -> ownNetwork(prefix, own))
            .or(() ->
                overlapping(prefix, exemptNetworks)
                    .flatMap(exempt ->
                        Refusal.unlessForced(
                            inOrAround(prefix, exempt)
                                + " of policy.exempt_networks, and nothing refuses its mail",
                            "take that network out of policy.exempt_networks; with --force the"
                                + " entry is stored, and acts when the network is no longer"
                                + " exempt")))
        : Optional.empty();
  }

  private static Optional<IpPrefix> overlapping(IpPrefix prefix, List<IpPrefix> networks) {
    return networks.stream().filter(prefix::overlaps).findFirst();
  }

  /** Says which of two networks that overlap holds the other. */
  private static String inOrAround(IpPrefix prefix, IpPrefix other) {
    return prefix + (prefix.length() > other.length() ? " is in " : " holds ") + other;
  }

  private Optional<Refusal> checkDomain(NewEntry entry, DomainName name) {
    return switch (entry.list()) {
      case ALLOW ->
          publicSuffix.test(name)
              ? Refusal.unlessForced(
                  name + " is a public suffix: anybody can register a name below it",
                  "allow the registered domain, or repeat the command with --force")
              : Optional.empty();
      case BLOCK ->
          ownDomains
              .touching(name)
              .flatMap(own ->
                  Refusal.unlessForced(
                      name.equals(own)
                          ? name + " is your own domain"
                          : name + " and your own domain " + own + " are one below the other",
                      hintOfOwn(entry)));
    };
  }

  private static Optional<Refusal> tooWide(String what, int shortest) {
    return Refusal.unlessForced(
        what + " is wider than /" + shortest,
        "name a smaller network, or repeat the command with --force");
  }

  private static Optional<Refusal> ownNetwork(IpPrefix prefix, IpPrefix own) {
    return Refusal.unlessForced(
        (prefix.equals(own) ? prefix + " is" : inOrAround(prefix, own) + ", which is")
            + " your mail server or a proxy that you trust",
        "block the part that you mean; with --force the entry is stored, and never_block still"
            + " spares "
            + own);
  }
}
