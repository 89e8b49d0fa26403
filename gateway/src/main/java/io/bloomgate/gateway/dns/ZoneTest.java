package io.bloomgate.gateway.dns;

import io.bloomgate.blocklists.guard.MailProviders;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.settings.SecretFile;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * Asks a DNS list for what it must list and what it must not (RFC 5782 section 5), and for a few
 * large mail providers: a list that names most of these names everybody, as lists did on the day on
 * which they died. Used by {@link DnsListAnswers} on the thread of one test, which it blocks.
 */
final class ZoneTest {

  private static final IpAddress LISTED = IpAddress.ofV4(0x7f000002);
  private static final IpAddress UNLISTED = IpAddress.ofV4(0x7f000001);
  private static final String UNLISTED_NAME = "invalid";

  /** RFC 2544: a network in which nobody sends mail, so that no list lists it. */
  private static final int UNUSED_NETWORK = 0xc6120000;

  private static final int UNUSED_BITS = 17;

  /** Mail providers that are asked about; one of them may well be listed for a day. */
  static final int PROVIDERS = 5;

  private static final List<IpPrefix> NETWORKS =
      MailProviders.networks().stream().filter(IpPrefix::isV4).toList();
  private static final List<DomainName> NAMES = MailProviders.names().stream().sorted().toList();

  private final ZoneQuestions questions;
  private final RandomGenerator random;

  ZoneTest(ZoneQuestions questions, RandomGenerator random) {
    this.questions = questions;
    this.random = random;
  }

  /** The problem of a list; empty for none. */
  String problem(DnsZone zone) throws SecretFile.UnusableException {
    String keyed = zone.keyed();
    String problem = zone.ofAddresses() ? ofAddresses(zone, keyed) : ofNames(zone, keyed);
    boolean askProviders = !zone.ofGoodSenders() && !zone.ofFiles();
    return problem.isEmpty() && askProviders ? ofProviders(zone, keyed) : problem;
  }

  private String ofAddresses(DnsZone zone, String keyed) {
    String problem = problem(zone, LISTED, keyed, true);
    if (problem.isEmpty()) {
      problem = problem(zone, UNLISTED, keyed, false);
    }
    IpAddress unused = IpAddress.ofV4(UNUSED_NETWORK | random.nextInt(1 << UNUSED_BITS));
    return problem.isEmpty() ? problem(zone, unused, keyed, false) : problem;
  }

  private String ofNames(DnsZone zone, String keyed) {
    String problem = problem(zone, zone.testName(), zone.testName(), keyed, true);
    return problem.isEmpty() ? problem(zone, UNLISTED_NAME, UNLISTED_NAME, keyed, false) : problem;
  }

  private String problem(DnsZone zone, IpAddress test, String keyed, boolean listed) {
    return problem(zone, ZoneQuestions.labels(test), test.toString(), keyed, listed);
  }

  private String problem(
      DnsZone zone, String labels, String subject, String keyed, boolean listed) {
    DnsAnswer answer = questions.ask(labels, keyed, zone.isSum()).join();
    if (answer instanceof DnsAnswer.Silent) {
      answer = questions.ask(labels, keyed, zone.isSum()).join();
    }
    return switch (answer) {
      case DnsAnswer.Codes ignored ->
          listed ? "" : "it lists the test entry " + subject + ", which no list may list";
      case DnsAnswer.Absent ignored ->
          listed
              ? "it does not list its test entry "
                  + subject
                  + "; look at test_name, key_file and the name of the zone"
              : "";
      case DnsAnswer.Refused refused -> refused.reason();
      case DnsAnswer.Silent ignored -> "it does not answer";
    };
  }

  private String ofProviders(DnsZone zone, String keyed) {
    List<CompletableFuture<DnsAnswer>> asked = new ArrayList<>();
    for (int i = 0; i < PROVIDERS; i++) {
      asked.add(questions.ask(zone.ofAddresses() ? address() : name(), keyed, zone.isSum()));
    }
    long listed = asked.stream().filter(answer -> zone.lists(answer.join())).count();
    return listed > PROVIDERS / 2
        ? "it lists " + listed + " of " + PROVIDERS + " large mail providers"
        : "";
  }

  private ListKey address() {
    IpPrefix network = NETWORKS.get(random.nextInt(NETWORKS.size()));
    int hosts = 1 << (Integer.SIZE - network.length());
    return IpAddress.ofV4(network.network().v4Bits() | random.nextInt(hosts));
  }

  private ListKey name() {
    return NAMES.get(random.nextInt(NAMES.size()));
  }
}
