package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The field X-Bloomgate-Incident above mail that quotes an id. */
final class AppealTest extends OneGateway {

  private static final String ID = "7K3Q9ZT2AB";
  private static final String FIELD = "X-Bloomgate-Incident: " + ID + "\r\n";
  private static final String POSTMASTER = "postmaster@example.com";
  private static final String QUOTE = "Subject: refused\r\n\r\nwhy? [" + ID + "]\r\n..dots\r\n";

  private final List<String> asked = new ArrayList<>();

  AppealTest() {
    knowing(ID);
  }

  private void knowing(String... ids) {
    gateway.incidents.set((client, asking) -> {
      asked.addAll(asking);
      return asking.stream().filter(Set.of(ids)::contains).toList();
    });
  }

  /** What the mail server gets, after the time in our Received field is taken out. */
  private String relayed(String content, String... recipients) throws Exception {
    int before = gateway.upstream.taken.size();
    expect("250", gateway.send(content, recipients));
    gateway.awaitQuiet();
    assertEquals(before + 1, gateway.upstream.taken.size());
    return gateway.relayed();
  }

  private List<String> quoted() {
    return gateway.telemetry.decisions.getLast().quoted();
  }

  @Test
  void aKnownIdGetsAFieldAndEveryOctetStays() throws Exception {
    String content = relayed(QUOTE, POSTMASTER);
    assertTrue(content.startsWith(FIELD + "Received: from"), content);
    assertTrue(content.endsWith("+0000\r\n" + QUOTE), content);
    assertEquals(List.of(ID), quoted());
    assertEquals(QUOTE.length(), gateway.telemetry.decisions.getLast().sizeOctets());
  }

  @Test
  void aStoreThatFailsCostsTheFieldOnly() throws Exception {
    gateway.incidents.set((client, ids) -> {
      throw new IllegalStateException("a bug that this test expects");
    });
    String content = relayed(QUOTE, POSTMASTER);
    assertTrue(content.startsWith("Received:"), content);
    assertTrue(content.endsWith(QUOTE), content);
  }

  @Test
  void fieldsAndQuestionsAreBounded() throws Exception {
    List<String> ids =
        IntStream.range(0, 30).mapToObj(i -> String.format("7K3Q9ZTA%02d", i)).toList();
    knowing(ids.toArray(String[]::new));
    String content = relayed("A: b\r\n\r\n" + String.join("\r\n", ids) + "\r\n", POSTMASTER);
    assertEquals(ids.subList(0, Appeal.MAX_ASKED), asked);
    assertEquals(ids.subList(0, Appeal.MAX_FIELDS), quoted());
    assertEquals(Appeal.MAX_FIELDS, content.split("X-Bloomgate-Incident: ", -1).length - 1);
  }
}
