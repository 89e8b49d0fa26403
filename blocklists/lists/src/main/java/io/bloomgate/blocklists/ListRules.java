package io.bloomgate.blocklists;

import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.decision.PolicyFactory;
import io.bloomgate.blocklists.guard.ProtectFiles;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.operator.ListFiles;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.operator.WidthRules;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Allow.NeverBlock;
import io.bloomgate.config.settings.yaml.Problem;
import java.io.IOException;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The meaning of one version of the settings for the lists: which feeds count and how, what no feed
 * may list, how wide an entry of the operator may be. Read whole at start and at each reload,
 * before anything is changed. Immutable.
 */
public final class ListRules {

  /** File in the state directory with what {@code feeds update-protected} found. */
  public static final String PROVIDER_NETWORKS = "provider-networks.txt";

  /** Subjects of allow entries in the known-good set of one build. */
  private static final int MAX_ALLOWED = 100_000;

  private final Settings settings;
  private final List<IpAddress> mailServers;
  private final List<ProtectedSet> protectedToo;
  private final WidthRules widths;

  private ListRules(
      Settings settings, List<IpAddress> mailServers, List<ProtectedSet> protectedToo) {
    this.settings = settings;
    this.mailServers = List.copyOf(mailServers);
    this.protectedToo = List.copyOf(protectedToo);
    this.widths = PolicyFactory.widthRules(settings, mailServers);
  }

  /**
   * Reads the files of {@code feeds.protect} and {@link #PROVIDER_NETWORKS}, and makes the rules.
   *
   * @param mailServers addresses of {@code downstream}; without those that cannot be resolved now
   * @param interfaces addresses of this machine, which no feed may list; empty when unknown
   * @param warnings receives a sentence for each line of these files that cannot be used
   * @throws IOException when a file of {@code feeds.protect} cannot be read
   */
  public static ListRules read(
      Settings settings,
      List<IpAddress> mailServers,
      List<IpAddress> interfaces,
      Consumer<String> warnings)
      throws IOException {
    List<ProtectedSet> sets = new ArrayList<>();
    sets.add(ProtectedSet.own(settings, interfaces));
    ProtectFiles files = ProtectFiles.read(settings.feeds().protect());
    files.problems().forEach(warnings);
    sets.add(files.set());
    Path published = settings.stateDir().resolve(PROVIDER_NETWORKS);
    if (settings.allow().neverBlock().contains(NeverBlock.MAIL_PROVIDERS)
        && Files.exists(published)) {
      ProtectFiles networks = ProtectFiles.read(List.of(published));
      networks.problems().forEach(warnings);
      sets.add(ProtectedSet.ofProviders(networks.set().networks()));
    }
    return new ListRules(settings, mailServers, sets);
  }

  /**
   * Addresses of this machine's interfaces; none when the system does not report them. Without
   * loopback and link-local addresses, which no feed may list anyway.
   *
   * @param warnings receives a sentence when they are not known
   */
  public static List<IpAddress> ownAddresses(Consumer<String> warnings) {
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
          .map(IpAddress::of)
          .distinct()
          .toList();
    } catch (SocketException e) {
      warnings.accept("the addresses of this machine are not known: " + Faults.words(e));
      return List.of();
    }
  }

  Settings settings() {
    return settings;
  }

  /** True for an address of {@code downstream}, as it was resolved when the settings were read. */
  public boolean isMailServer(IpAddress address) {
    return mailServers.contains(address);
  }

  /** The same rules under settings that differ in the actions of feeds and in own domains only. */
  public ListRules with(Settings others) {
    return new ListRules(others, mailServers, protectedToo);
  }

  WidthRules widths() {
    return widths;
  }

  /** The list files of the settings; not read yet. A block of what no feed may list needs force. */
  ListFiles listFiles(InstantSource clock) {
    EntryRules unwanted = EntryRules.ofFiles(protectedSets());
    String sets = settings.allow().neverBlock() + " " + settings.feeds().protect();
    return new ListFiles(
        settings.allow().files(),
        settings.block().files(),
        widths.and(unwanted::unwanted, sets),
        clock);
  }

  /** Gives the list files to the lists; answers with the lines that are not taken. */
  List<Problem> useFiles(OperatorLists operator, InstantSource clock, Consumer<String> log) {
    ListFiles files = listFiles(clock);
    operator.useFiles(files).forEach(log);
    return files.badLines();
  }

  /**
   * Lines of the list files of settings that are not taken, as the files are now: for a check that
   * needs no gateway. Networks of the mail server count only where the settings write them.
   */
  public static List<Problem> badLinesOf(Settings settings) {
    ListRules rules = new ListRules(settings, List.of(), List.of());
    return rules.listFiles(() -> Instant.EPOCH).badLinesNow();
  }

  /** The policy while these feeds are disabled. */
  Policy policy(Set<String> disabled) {
    return PolicyFactory.policy(settings, disabled, mailServers, protectedToo);
  }

  /** The sets of entries that no feed may list. */
  List<ProtectedSet> protectedSets() {
    return Stream.concat(
            PolicyFactory.heldBack(settings, mailServers).stream(), protectedToo.stream())
        .toList();
  }

  /** The same for a guard, which notes entries about exempt networks too. */
  List<ProtectedSet> guarded() {
    return Stream.concat(
            protectedSets().stream(),
            Stream.of(ProtectedSet.exempt(settings.policy().exemptNetworks())))
        .toList();
  }

  /**
   * The subjects of the operator's allow entries, which belong to the known-good set of a build,
   * the oldest first; a chance hit of those beyond the limit costs a look at the exact index, never
   * a mail.
   *
   * @param alarm receives a sentence when the entries cannot be read
   */
  static List<Subject> allowed(OperatorLists operator, Consumer<String> alarm) {
    try {
      return operator.subjects(ListKind.ALLOW, MAX_ALLOWED);
    } catch (OperatorListsException e) {
      alarm.accept("allow entries are not in the known-good set: " + e.userMessage());
      return List.of();
    }
  }
}
