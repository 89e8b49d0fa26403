package io.bloomgate.gateway.doctor;

import io.bloomgate.blocklists.refresh.FeedState;
import io.bloomgate.blocklists.refresh.FeedStatus;
import io.bloomgate.blocklists.refresh.LastCheck;
import io.bloomgate.config.settings.DnsList;
import io.bloomgate.gateway.dns.DnsListAnswers;
import io.bloomgate.gateway.doctor.DoctorFinding.At;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether the lists are as new as they should be, and whether those that are asked by DNS
 * work, from the answers of {@code feeds list}. Used by {@link Doctor}. Pure.
 */
record FeedChecks(List<FeedStatus> feeds, List<DnsListAnswers.State> dnsLists) {

  /** The zone of a question at a name server: several lists may read the answers of one zone. */
  private record Zone(String name, @Nullable Path keyFile) {
    static Zone of(DnsListAnswers.State state) {
      DnsList list = state.list();
      return new Zone(list.zone(), list.keyFile());
    }
  }

  List<DoctorFinding> all() {
    if (feeds.isEmpty() && dnsLists.isEmpty()) {
      return List.of(
          at("feeds.sources")
              .warn(
                  "no feed is set, only your own entries count",
                  "name lists under feeds.sources; `bloomgate feeds test URL` tries one"));
    }
    List<DoctorFinding> findings =
        new ArrayList<>(feeds.stream().map(FeedChecks::finding).toList());
    Map<Zone, List<DnsListAnswers.State>> zones =
        dnsLists.stream()
            .collect(Collectors.groupingBy(Zone::of, LinkedHashMap::new, Collectors.toList()));
    zones.forEach((zone, lists) -> findings.add(finding(zone, lists)));
    return findings;
  }

  private static DoctorFinding finding(Zone zone, List<DnsListAnswers.State> lists) {
    String where = "DNS list " + zone.name();
    List<DnsListAnswers.State> on = lists.stream().filter(DnsListAnswers.State::enabled).toList();
    if (on.isEmpty()) {
      String name = lists.getFirst().list().name();
      return at(where).warn("it is disabled", "`bloomgate feeds enable " + name + "`");
    }
    String problem = on.getFirst().problem();
    return problem.isEmpty()
        ? at(where).ok("it answers as it should")
        : at(where).warn("it is off, mail is judged without it: " + problem, hint(zone));
  }

  private static String hint(Zone zone) {
    Path keyFile = zone.keyFile();
    return "many lists refuse public resolvers: run a resolver on this machine and name it under"
        + " dns.servers"
        + (keyFile == null
            ? "; set key_file if the list gives you a key"
            : "; look whether the key in " + keyFile + " is still good")
        + "; the list is tested again each minute";
  }

  private static DoctorFinding finding(FeedStatus feed) {
    String name = feed.feed();
    String problem =
        feed.problem() == null ? "last check " + feed.lastCheck().key() : feed.problem();
    String fix = "`bloomgate feeds show " + name + "` shows more";
    if (feed.state() == FeedState.DISABLED) {
      String enable = "`bloomgate feeds enable " + name + "`";
      return at(name).warn("it is disabled", enable);
    }
    return switch (feed.health()) {
      case GOOD, NOTE ->
          feed.lastCheck() == LastCheck.FAILED ? at(name).warn(problem, fix) : at(name).ok(problem);
      case ALARM ->
          feed.state() == FeedState.FAILED
              ? at(name).fail("it has no good version: " + problem, fix)
              : at(name).warn(problem, fix);
    };
  }

  private static At at(String where) {
    return Doctor.Check.FEEDS.at(where);
  }
}
