package io.bloomgate.blocklists;

import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.guard.ProtectFiles;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.operator.ListFiles;
import io.bloomgate.blocklists.operator.WidthRules;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What one version of the settings means for the lists: which feeds count and how, what no feed may
 * list, how wide an entry of the operator may be. Read whole at start and at each reload, before
 * anything is changed. Immutable.
 */
public final class ListRules {

  private final Settings settings;
  private final List<IpAddress> mailServers;
  private final List<ProtectedSet> protectedToo;
  private final WidthRules widths;

  private ListRules(
      Settings settings, List<IpAddress> mailServers, List<ProtectedSet> protectedToo) {
    this.settings = settings;
    this.mailServers = List.copyOf(mailServers);
    this.protectedToo = List.copyOf(protectedToo);
    this.widths = Policy.widthRules(settings, mailServers);
  }

  /**
   * Reads the files of {@code feeds.protect} and makes the rules.
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
    ProtectFiles files = ProtectFiles.read(settings.feeds().protect());
    files.problems().forEach(warnings);
    return new ListRules(
        settings, mailServers, List.of(ProtectedSet.own(settings, interfaces), files.set()));
  }

  Settings settings() {
    return settings;
  }

  WidthRules widths() {
    return widths;
  }

  /** The list files of the settings; not read yet. */
  ListFiles listFiles(InstantSource clock) {
    return new ListFiles(settings.allow().files(), settings.block().files(), widths, clock);
  }

  /** The policy while these feeds are disabled. */
  Policy policy(Set<String> disabled) {
    return Policy.of(settings, disabled, mailServers, protectedToo);
  }

  /** What no feed may list. */
  List<ProtectedSet> protectedSets() {
    return policy(Set.of()).protectedSets();
  }
}
