package io.bloomgate.blocklists.explain;

import static io.bloomgate.blocklists.decision.World.NOW;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.decision.World;
import io.bloomgate.blocklists.explain.Explanation.Bloom;
import io.bloomgate.blocklists.generation.ListAnswer;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.refresh.ListingOrigin;
import io.bloomgate.config.control.ControlRequest.Explain;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.Settings.Policy.RejectAt;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The members of the answer to {@code explain}; its stories say what is in them. */
class ExplainerTest {

  private static final Instant SINCE = Instant.parse("2026-11-19T04:00:00Z");
  private static final ListingOrigin ORIGIN =
      new ListingOrigin(
          new ListingOrigin.Version(17, SINCE.plusSeconds(3600), "c0ffee"),
          SINCE,
          false,
          null,
          "SBL1");

  @TempDir private Path directory;
  private World world = new World(Path.of(""));

  @BeforeEach
  void listSomeThings() {
    world =
        new World(directory)
            .feed("drop", Action.REJECT, "203.0.113.0/24", "2001:db8:bad::/48", "spam.example")
            .feed("watch", Action.OBSERVE, "203.0.113.7");
  }

  private Explanation explain(String subject) {
    Explainer.Context context =
        new Explainer.Context(
            world.lists(),
            world.policy(),
            Mode.OBSERVE,
            RejectAt.RCPT,
            true,
            NOW,
            listed -> listed.source().equals("drop") ? ORIGIN : null,
            Explainer.DnsAnswers.NONE,
            Explainer.GreylistAnswers.NONE);
    Explain asked = new Explain(subject, null, null, null, null);
    return new Explainer(context)
        .explain(new Question(asked, "example.com"::equals))
        .toOptional()
        .orElseThrow();
  }

  @Test
  void aListedAddressAsTheContractHasIt() {
    assertEquals(
        "{\"subject\":\"203.0.113.7\",\"kind\":\"client_ip\",\"verdict\":\"reject\","
            + "\"stage\":\"rcpt\",\"mode\":\"observe\",\"generation\":1,\"offline\":true,"
            + "\"listings\":[{\"feed\":\"drop\",\"entry\":\"203.0.113.0/24\",\"line\":1,"
            + "\"since\":\"2026-11-19T04:00:00Z\",\"action\":\"reject\",\"kind\":\"client_ip\","
            + "\"since_at_least\":false,\"version\":{\"number\":17,"
            + "\"fetched\":\"2026-11-19T05:00:00Z\",\"sha256\":\"c0ffee\"},\"reference\":\"SBL1\","
            + "\"pardon\":null},{\"feed\":\"watch\",\"entry\":\"203.0.113.7\",\"line\":1,"
            + "\"since\":null,\"action\":\"observe\",\"kind\":\"client_ip\",\"pardon\":null}],"
            + "\"bloom\":{\"filter\":\"ip\",\"hit\":true,\"confirmed\":true},\"allow\":null,"
            + "\"undo\":\"bloomgate allow add 203.0.113.7 --scope client_ip --expires 7d"
            + " --reason \\\"...\\\"\","
            + "\"undo_wider\":[{\"command\":\"bloomgate allow add 203.0.113.7 --expires 7d"
            + " --reason \\\"...\\\"\",\"lifts\":\"every listing of mail from 203.0.113.7\"}],"
            + "\"incident\":null,\"notes\":[]}",
        Json.write(explain("203.0.113.7").toJson()));
  }

  @Test
  void anAllowedSubjectNamesTheEntryThatPardoned() {
    world.allow("203.0.113.7 expires=2026-12-01T00:00:00Z # partner");
    Explanation allowed = explain("203.0.113.7");
    assertEquals("accept", allowed.verdict());
    assertEquals(2, allowed.listings().size(), "still reported");
    assertEquals(
        "{\"entry\":\"203.0.113.7\",\"kind\":\"client_ip\",\"reason\":\"partner\","
            + "\"expires\":\"2026-12-01T00:00:00Z\",\"author\":\"alice\",\"id\":\"e1\"}",
        Json.write(allowed.toJson().get("allow").orElseThrow()));
  }

  /** It is on a list, only not for this name: no chance hit of the filter. */
  @Test
  void anEntryThatDoesNotReachTheNameIsNamed() {
    world.feed("exact", Action.REJECT, "=only.example");
    Explanation beside = explain("www.only.example");
    assertEquals("accept", beside.verdict());
    assertEquals(
        "{\"filter\":\"domain\",\"hit\":true,\"confirmed\":false,\"out_of_reach\":"
            + "[{\"feed\":\"exact\",\"entry\":\"only.example\",\"line\":1}]}",
        Json.write(beside.toJson().get("bloom").orElseThrow()));
  }

  @Test
  void aFalsePositiveIsReportedAndHarmless() {
    world.snapshot(
        new ListSnapshot() {
          @Override
          public long generation() {
            return 9;
          }

          @Override
          public ListAnswer ask(io.bloomgate.config.name.ListKey key) {
            return new ListAnswer.FalsePositive("ip");
          }
        });
    Explanation explanation = explain("198.51.100.1");
    assertEquals("accept", explanation.verdict());
    assertEquals(new Bloom("ip", true, false), explanation.bloom());
  }
}
