package io.bloomgate.blocklists.refresh;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.impact.PastSession;
import io.bloomgate.blocklists.impact.PastSession.Outcome;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.MailAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Good networks of IPv6 that share a /32 are counted once, so that no sender holds a list up. */
final class GoodNetworksTest extends RefreshStories {

  private static final String FEED = "list";

  private static List<PastSession> accepted(String client, String from) {
    Facts facts =
        Facts.ofClient(IpAddress.parse(client).toOptional().orElseThrow())
            .withSender(MailAddress.parse(from).toOptional().orElseThrow());
    PastSession one =
        new PastSession(START, "", facts, Set.of(), Outcome.ACCEPTED, false, List.of(), false, 1);
    return Collections.nCopies(5, one);
  }

  /** The state of a feed that came to list eight clients whose mail was accepted. */
  private String stateOf(List<String> clients) throws Exception {
    server.serve("/list", "203.0.113.7\n");
    String settings =
        url(FEED, "/list", ", action: reject, guard: {max_turnover: none, max_growth: 100000%}");
    try (RefreshStage stage = stage(settings)) {
      stage.refresher.refreshHere(List.of(FEED), false, false);
      List<PastSession> sessions = new ArrayList<>();
      clients.forEach(client -> sessions.addAll(accepted(client, "a@partner.example")));
      stage.sessions = sessions;
      server.serve(
          "/list", clients.stream().map(client -> client + "\n").collect(Collectors.joining()));
      stage.refresher.refreshHere(List.of(FEED), false, true);
      return stage.state(FEED);
    }
  }

  @Test
  void manyNetworksOfOneHolderAreOne() throws Exception {
    List<String> clients = new ArrayList<>();
    for (int network = 0; network < 8; network++) {
      clients.add("2a0b:1:2%x0::5".formatted(network));
    }
    assertTrue(!stateOf(clients).equals("held"));
  }

  @Test
  void networksOfManyHoldersAreMany() throws Exception {
    List<String> clients = new ArrayList<>();
    for (int network = 0; network < 8; network++) {
      clients.add("2a0b:%x::5".formatted(network));
    }
    assertTrue(stateOf(clients).equals("held"));
  }
}
