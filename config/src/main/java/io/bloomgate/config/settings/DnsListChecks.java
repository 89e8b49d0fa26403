package io.bloomgate.config.settings;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.DnsList.Codes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Warns of lists asked by DNS that can be read and will not do what is meant: between each other,
 * with their keys, and with the name servers. Called by {@link SettingsBinder}, once for each
 * reading of the settings.
 */
final class DnsListChecks {

  /** Zones of Spamhaus that answer only with a key in front of them. */
  private static final String DQS = "dq.spamhaus.net";

  /** Labels of such a zone without its key, as in {@code zen.dq.spamhaus.net}. */
  private static final int DQS_LABELS = 4;

  /** Google, Cloudflare and Quad9. */
  private static final List<String> PUBLIC_RESOLVERS =
      List.of(
          "8.8.8.8",
          "8.8.4.4",
          "2001:4860:4860::8888",
          "2001:4860:4860::8844",
          "1.1.1.1",
          "1.0.0.1",
          "2606:4700:4700::1111",
          "2606:4700:4700::1001",
          "9.9.9.9",
          "149.112.112.112",
          "2620:fe::fe",
          "2620:fe::9");

  private final Section root;
  private final Settings settings;
  private final Function<Path, Optional<String>> keyFiles;

  /**
   * The checks of one reading.
   *
   * @param keyFiles says what is wrong with a file that holds a key
   */
  DnsListChecks(Section root, Settings settings, Function<Path, Optional<String>> keyFiles) {
    this.root = root;
    this.settings = settings;
    this.keyFiles = keyFiles;
  }

  void check() {
    Map<String, DnsList> lists = settings.feeds().dnsLists();
    if (!lists.isEmpty()) {
      checkServers();
    }
    List<DnsList> before = new ArrayList<>();
    for (DnsList list : lists.values()) {
      Section section = section(list);
      if (section.isSet("dns") && !section.hasFailed("dns")) {
        checkKey(list, section);
        checkTestName(list, section);
      }
      before.forEach(other -> checkPair(other, list, section));
      before.add(list);
    }
  }

  private Section section(DnsList list) {
    return root.section("feeds").section("sources").section(list.name());
  }

  private void checkServers() {
    for (HostPort server : settings.dns().servers()) {
      if (PUBLIC_RESOLVERS.stream().anyMatch(open -> Names.sameHost(open, server.host()))) {
        root.section("dns")
            .warn(
                "servers",
                "most DNS lists refuse questions that come through the public resolver "
                    + server.host(),
                "run a resolver on this machine, for example unbound, and write [127.0.0.1]");
      }
    }
  }

  private void checkKey(DnsList list, Section section) {
    Path file = list.keyFile();
    if (file != null) {
      keyFiles
          .apply(file)
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
    if (!list.checks().contains(Check.CLIENT_IP)
        && !list.checks().isEmpty()
        && !section.isSet("test_name")) {
      section.warn(
          "checks",
          "the list is tested with the name `"
              + list.testName()
              + "`, which not every list of names has, and is off while the test fails",
          "write test_name: a name that the list always lists (Spamhaus DBL: dbltest.com)");
    }
  }

  /** One question has one answer, so two lists of a zone may count the same answer. */
  private static void checkPair(DnsList one, DnsList other, Section section) {
    boolean asked = other.checks().stream().anyMatch(one.checks()::contains);
    boolean readable = !one.zone().equals(DnsListBinder.NO_ZONE) && !section.hasFailed("codes");
    if (!asked || !readable || !one.zone().equals(other.zone())) {
      return;
    }
    String both = one.name() + " and " + other.name();
    if (one.action() != other.action()) {
      shared(one, other)
          .ifPresent(codes ->
              section.warn(
                  "codes",
                  both
                      + " both count "
                      + codes
                      + "; the stronger action, "
                      + stronger(one, other)
                      + ", wins",
                  "write each code at one of them only"));
    } else if (Optional.ofNullable(one.keyFile()).equals(Optional.ofNullable(other.keyFile()))
        && Set.copyOf(one.codes()).equals(new HashSet<>(other.codes()))) {
      section.warn("codes", both + " have the same zone, key and codes", "keep one of them");
    }
  }

  private static Optional<String> shared(DnsList one, DnsList other) {
    List<String> shared = new ArrayList<>();
    for (Codes codes : one.codes()) {
      for (Codes others : other.codes()) {
        codes.shared(others).map(Codes::text).ifPresent(shared::add);
      }
    }
    return shared.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", shared));
  }

  private static String stronger(DnsList one, DnsList other) {
    Action action = one.action().compareTo(other.action()) > 0 ? one.action() : other.action();
    return action.key();
  }
}
