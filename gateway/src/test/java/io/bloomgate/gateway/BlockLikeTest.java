package io.bloomgate.gateway;

import static io.bloomgate.gateway.testkit.Texts.assertSays;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.sessions.DayWriter;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.control.ControlRequest.ListAdd;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.gateway.testkit.Addition;
import io.bloomgate.gateway.testkit.KeptSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code block add --like} on a whole gateway. */
final class BlockLikeTest {

  @TempDir private Path directory;

  /** The text of a kept session becomes an entry, and an id without one is reported. */
  @Test
  void blockAddLikeTakesTheTextOfAKeptSession() throws Exception {
    GatewayHouse house = new GatewayHouse(directory).write();
    SessionDays days = new SessionDays(Files.createDirectories(directory.resolve("state")));
    days.create();
    Instant now = Instant.now();
    LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
    Likeness text = Likeness.of(new short[Likeness.MINIMA]);
    try (DayWriter writer = DayWriter.open(days.day(today, 1).file(), today)) {
      writer.add(kept(now, "7K3Q9ZT2AB"), text);
      writer.add(kept(now, "7K3Q9ZT2AC"), null);
      writer.commit();
    }
    try (Gateway _ = house.start()) {
      house.done(blockLike("7K3Q9ZT2AB"));
      Answer listed =
          house.ask(new ControlRequest.ListShow(ListKind.BLOCK, "", Long.MAX_VALUE, null));
      assertTrue(Json.write(listed.only()).contains("\"" + text + "\""), listed.toString());
      Answer same = house.ask(new ControlRequest.ListCheck(ListKind.BLOCK, "", "7K3Q9ZT2AB"));
      assertEquals(listed.only().text("id"), same.only().text("id"), "what remove --like finds");
      Answer none = house.ask(new ControlRequest.ListCheck(ListKind.ALLOW, "", "7K3Q9ZT2AB"));
      assertEquals(1, none.exitCode(), none.toString());
      assertFails(
          house,
          "7K3Q9ZT2AC",
          "content.bulk is off: no likeness of the text of session 7K3Q9ZT2AC is kept",
          "set `content: {bulk: {networks: 20}}`; mails that come from then on have one");
      assertFails(
          house,
          "nope",
          "content.bulk is off: no session nope is known",
          "set `content: {bulk: {networks: 20}}`; mails that come from then on have one");
    }
    house.more("content: {bulk: {networks: 20}}").write();
    try (Gateway _ = house.start()) {
      assertFails(
          house,
          "7K3Q9ZT2AC",
          "no likeness of the text of session 7K3Q9ZT2AC is kept",
          "texts of 40 words and more have one");
      assertFails(
          house,
          "nope",
          "no session nope is known",
          "`bloomgate top --by campaign` names a session of each campaign");
    }
  }

  /** Most of the text is a disclaimer that other senders have, too. */
  @Test
  void aTextThatOthersSendNeedsForce() throws Exception {
    GatewayHouse house = new GatewayHouse(directory).write();
    SessionDays days = new SessionDays(Files.createDirectories(directory.resolve("state")));
    days.create();
    Instant now = Instant.now();
    LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
    short[] minima = new short[Likeness.MINIMA];
    try (DayWriter writer = DayWriter.open(days.day(today, 1).file(), today)) {
      writer.add(kept(now, "7K3Q9ZT2AB"), Likeness.of(minima));
      writer.add(kept(now, "7K3Q9ZT2AC"), Likeness.of(minima));
      writer.add(kept(now, "7K3Q9ZT2AD", "a@refused.example", "reject"), Likeness.of(minima));
      minima[0] = 1;
      writer.add(kept(now, "7K3Q9ZT2AE", "a@partner.example", "accept"), Likeness.of(minima));
      writer.add(kept(now, "7K3Q9ZT2AF", "b@partner.example", "accept"), Likeness.of(minima));
      Arrays.fill(minima, (short) 2);
      writer.add(kept(now, "7K3Q9ZT2AG", "a@other.example", "accept"), Likeness.of(minima));
      writer.commit();
    }
    String sentence =
        "the text of session 7K3Q9ZT2AB is like that of 2 accepted mails of 1 other sender domain"
            + " of the last 7 days: partner.example";
    try (Gateway _ = house.start()) {
      Answer refused = house.ask(blockLike("7K3Q9ZT2AB"));
      assertEquals(2, refused.exitCode(), refused.toString());
      assertSays(refused, sentence, "--force");
      assertEquals(List.of(), house.entries(ListKind.BLOCK));
      house.done(blockLike("7K3Q9ZT2AG"));
      Answer forced = house.done(blockLike("7K3Q9ZT2AB", true));
      assertSays(forced, "warning: " + sentence);
    }
  }

  private static void assertFails(GatewayHouse house, String id, String reason, String hint)
      throws Exception {
    Answer failed = house.ask(blockLike(id));
    assertEquals(2, failed.exitCode(), failed.toString());
    assertEquals(reason + "; " + hint, failed.failure());
  }

  private static ListAdd blockLike(String session) {
    return blockLike(session, false);
  }

  private static ListAdd blockLike(String session, boolean force) {
    return Addition.block().force(force).like(session).request();
  }

  private static Evidence kept(Instant at, String id) {
    return kept(at, id, "news@list.junk.example", "accept");
  }

  private static Evidence kept(Instant at, String id, String from, String verdict) {
    return new KeptSession().at(at).id(id).from(from).verdict(verdict).evidence();
  }
}
