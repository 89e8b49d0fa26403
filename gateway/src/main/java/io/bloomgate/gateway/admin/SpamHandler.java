package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.blocklists.explain.CarriedText;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.SessionQuery;
import io.bloomgate.blocklists.sessions.SessionSearch;
import io.bloomgate.config.control.ControlRequest.SpamReport;
import io.bloomgate.config.control.ControlRequest.Traps;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.notation.Quantities;
import io.bloomgate.config.settings.SessionSettings;
import io.bloomgate.gateway.admin.ReplySender.RefusedException;
import io.bloomgate.gateway.spam.SpamReports;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * {@code report spam}, {@code report good} and {@code traps}. Called on the threads of control
 * connections; what searches the kept sessions runs on platform threads.
 */
record SpamHandler(GatewayControl gateway) {

  /** Addresses that are compared; a stranger may make up any number of them. */
  private static final int MAX_ADDRESSES = 100_000;

  /** Networks of all addresses together that are counted, about 100 octets each. */
  private static final int MAX_NETWORKS = 500_000;

  // ---- reports

  void report(SpamReport asked, ReplySender answer)
      throws IOException, OperatorListsException, InterruptedException, RefusedException {
    List<ContentKey> keys =
        switch (CarriedText.parse(asked.keys())) {
          case Parsed.Bad<List<ContentKey>>(String reason) ->
              throw RefusedException.usage(reason, "`bloomgate help report` shows the options");
          case Parsed.Ok<List<ContentKey>>(List<ContentKey> read, var _) ->
              read.stream().filter(key -> key.place() == Place.OPEN).toList();
        };
    String id = asked.id();
    Optional<Evidence> session =
        id == null ? Optional.empty() : answer.reading(() -> gateway.kept().find(id));
    if (session.isEmpty() && asked.keys().isEmpty()) {
      throw RefusedException.no("no session " + id + " is known", gateway.kept().whyUnknown());
    }
    SpamReports.Reported reported =
        gateway.spam().report(asked.good(), keys, session, answer.user());
    if (asked.keys().isEmpty()) {
      answer.note(
          "of session "
              + reported.id()
              + " only what was kept is reported: "
              + Quantities.count(reported.of(), "key", "keys")
              + " of its sender, its network and its content; the mail itself says more: bloomgate"
              + " report "
              + (asked.good() ? "good" : "spam")
              + " FILE.eml");
    }
    gateway.spam().waits().ifPresent(answer::note);
    answer.item(
        JsonValue.object()
            .put("change", reported.good() ? "reported as good:" : "reported as spam:")
            .put("subject", reported.id().isEmpty() ? "a mail" : reported.id())
            .putAll(JsonRecords.of(reported))
            .build());
  }

  // ---- traps

  /** Counts sessions by who was written to, with the networks that may still be counted of all. */
  private static final class Tally {
    private final int[] room;
    private final Set<IpAddress> networks = new HashSet<>();
    private long mails;
    private Instant first = Instant.MAX;
    private Instant last = Instant.MIN;

    Tally(int[] room) {
      this.room = room;
    }

    void add(Evidence session) {
      mails += session.times();
      if (room[0] > 0 && networks.add(ClientNetwork.of(session.client()))) {
        room[0]--;
      }
      first = session.at().isBefore(first) ? session.at() : first;
      last = session.at().isAfter(last) ? session.at() : last;
    }

    JsonObject row(String trap) {
      JsonValue.ObjectBuilder row =
          JsonValue.object().put("trap", trap).put("mails", mails).put("networks", networks.size());
      return mails == 0
          ? row.build()
          : row.put("first", first.toString()).put("last", last.toString()).build();
    }
  }

  void traps(Traps asked, ReplySender answer) throws IOException, InterruptedException {
    if (asked.networks() > 0) {
      suggest(asked, answer);
    } else {
      list(asked, answer);
    }
  }

  private void list(Traps asked, ReplySender answer) throws IOException, InterruptedException {
    Map<String, Tally> tallies = new HashMap<>();
    int[] room = {MAX_NETWORKS};
    List<String> traps = traps();
    List<String> problems = new ArrayList<>();
    answer.reading(() -> {
      SessionSearch search = gateway.kept().search(problems::add);
      search.forTraps(
          SessionQuery.of(asked.since(), gateway.now()),
          session -> {
            String named = session.more().profile();
            String entry = named.substring(named.indexOf('(') + 1, named.length() - 1);
            tallies.computeIfAbsent(entry, _ -> new Tally(room)).add(session);
            return true;
          });
      return search;
    });
    traps.forEach(trap -> answer.item(tallies.getOrDefault(trap, new Tally(room)).row(trap)));
    answer.warn(problems);
    if (traps.isEmpty()) {
      answer.note("there is no trap: name addresses in traps.addresses and reload");
    } else {
      noteTime(asked.since(), answer);
      gateway.spam().waits().ifPresent(answer::note);
    }
  }

  private List<String> traps() {
    return gateway.settings().recipients().entrySet().stream()
        .filter(each -> each.getValue().isTrap())
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * Addresses that mail servers do not know and many networks ask for. Those whose local part got
   * mail in that time are left out.
   */
  private void suggest(Traps asked, ReplySender answer) throws IOException, InterruptedException {
    Map<String, Tally> tallies = new HashMap<>();
    Set<String> used = new HashSet<>();
    int[] room = {MAX_NETWORKS};
    List<String> problems = new ArrayList<>();
    SessionQuery query = SessionQuery.of(asked.since(), gateway.now());
    answer.reading(() -> {
      SessionSearch search = gateway.kept().search(problems::add);
      search.unknownRecipients(
          query,
          session -> {
            String to = session.decision().to().toLowerCase(Locale.ROOT);
            Tally tally = tallies.get(to);
            if (tally == null && tallies.size() < MAX_ADDRESSES && to.indexOf('@') > 0) {
              tally = new Tally(room);
              tallies.put(to, tally);
            }
            if (tally != null) {
              tally.add(session);
            }
            return true;
          });
      search.acceptedFor(query, local -> !used.add(local));
      return search;
    });
    tallies.entrySet().stream()
        .filter(each -> each.getValue().networks.size() >= asked.networks())
        .filter(each -> !used.contains(each.getKey().substring(0, each.getKey().lastIndexOf('@'))))
        .sorted(
            Comparator.comparingInt(
                    (Map.Entry<String, Tally> each) -> -each.getValue().networks.size())
                .thenComparing(Map.Entry::getKey))
        .limit(asked.limit())
        .forEach(each -> answer.item(each.getValue().row(each.getKey())));
    answer.warn(problems);
    noteTime(asked.since(), answer);
  }

  /** Says how far back the answer goes: sessions may be kept for less than was asked. */
  private void noteTime(Instant asked, ReplySender answer) {
    SessionSettings settings = gateway.settings().sessions();
    Instant now = gateway.now();
    Duration looked = Duration.between(asked, now);
    if (!settings.keeps()) {
      answer.note("sessions are not kept: set sessions.retain");
    } else if (settings.retain().toDays() < looked.toDays()) {
      answer.note(
          "looked at "
              + settings.retain().toDays()
              + " days in place of "
              + looked.toDays()
              + ": older sessions are not kept (sessions.retain)");
    }
  }
}
