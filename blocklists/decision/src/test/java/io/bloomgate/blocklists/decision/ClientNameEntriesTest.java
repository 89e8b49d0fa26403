package io.bloomgate.blocklists.decision;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.bloomgate.blocklists.decision.ClientName.State;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Action;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Entries of client names, for clients that only claim one. */
class ClientNameEntriesTest {

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(value = State.class, names = "CONFIRMED", mode = EnumSource.Mode.EXCLUDE)
  void aNameThatIsNotConfirmedIsNone(State state) {
    ClientName claimed = new ClientName("h7.dyn.example.net", state);
    String entry = ".dyn.example.net scope=client_name";
    World listed = new World(directory).feed("drop", Action.REJECT, "203.0.113.7").allow(entry);
    Facts facts = World.client("203.0.113.7").withSeen(Seen.NOTHING.withName(claimed));
    assertInstanceOf(Verdict.Reject.class, listed.decide(facts));
    World blocked =
        new World(directory)
            .block(entry)
            .feed("names", Action.REJECT, Set.of(Check.CLIENT_NAME), "dyn.example.net");
    assertInstanceOf(Verdict.Accept.class, blocked.decide(facts));
  }
}
