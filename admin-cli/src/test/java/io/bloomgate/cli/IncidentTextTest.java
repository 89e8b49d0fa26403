package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code explain ID} prints: what happened to the mail, and what it would get now. */
class IncidentTextTest extends ScriptedAnswers {

  @Test
  void anIncidentIsShownAsItHappened() throws IOException {
    String happened =
        """
        {"subject":"203.0.113.7","verdict":"reject","stage":"rcpt","mode":"observe","generation":4,\
        "listings":[],"bloom":{"filter":"ip","hit":true,"confirmed":true},"allow":null,"undo":null,\
        "incident":"7K3Q9ZT2AB","happened":{"time":"2026-11-21T07:39:01Z","client_ip":"203.0.113.7",\
        "helo":"h","from":"a@spam.example","to":"bob@example.com","outcome":"would_refuse",\
        "reply":"554 5.7.1 no"}}\
        """;
    assertEquals(
        """
        203.0.113.7 would have been REFUSED at RCPT, was let through   mode observe, generation 4
          bloom    ip hit, confirmed by the exact index
          allow    none
          incident 7K3Q9ZT2AB
          happened 2026-11-21T07:39:01Z client 203.0.113.7 helo=h from=a@spam.example\
         to=bob@example.com, would_refuse: 554 5.7.1 no
        """,
        refused("explain 7K3Q9ZT2AB", happened).out());
  }

  /** Nobody knows a subject by its hash. */
  @Test
  void aSubjectIsNamedInWords() throws IOException {
    String hash = "0123456789abcdef".repeat(4);
    String happened =
        """
        {"subject":"HASH","kind":"subject","verdict":"reject","stage":"data","mode":"enforce",\
        "generation":4,"listings":[{"feed":"operator","entry":"HASH","kind":"subject","line":null,\
        "since":"2026-11-21T07:39:01Z","action":"reject","id":"b1","reason":"subject: You win"},\
        {"feed":"operator","entry":"b3, 30 of 32","kind":"body","line":null,"action":"reject"}],\
        "bloom":{"filter":"fingerprint","hit":false,"confirmed":false},\
        "allow":null,"undo":null,"incident":"7K3Q9ZT2AB"}\
        """
            .replace("HASH", hash);
    assertEquals(
        """
        the subject of this mail had the verdict reject at DATA   mode enforce, generation 4
          listed   operator  the subject of this mail  subject  since 2026-11-21  action reject\
          "subject: You win"
          listed   operator  a text like that of entry b3 (30 of 32 hashes equal)  body  action\
         reject
          allow    none
          incident 7K3Q9ZT2AB
        """,
        refused("explain 7K3Q9ZT2AB", happened).out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          reject   | refused          | 554 | was REFUSED at RCPT
          tempfail | refused          | 451 | was PUT OFF at RCPT
          reject   | would_refuse     | 250 | would have been REFUSED at RCPT, was let through
          tempfail | would_refuse     | 250 | would have been PUT OFF at RCPT, was let through
          reject   | delivered        | 250 | would have been REFUSED, was delivered
          tag      | delivered        | 250 | would have been TAGGED, was delivered
          reject   | upstream_refused | 550 | would have been REFUSED, was refused by the mail server
          tag      | upstream_refused | 452 | would have been TAGGED, was put off by the mail server
          tag      | upstream_failed  | 451 | would have been TAGGED, was put off because the mail server could\
           not be used
          reject   | abandoned        | 421 | would have been REFUSED, was not delivered: the client\
           went away
          accept   | unknown          | 451 | was passed on, the reply of the mail server was lost,\
           so it may have the message
          tag      | protocol         | 552 | was refused at RCPT by a rule of the protocol or a\
           limit, not by a list
          reject   | protocol         | 550 | was refused at RCPT by a rule of the protocol or a\
           limit, not by a list; by the lists it would have been REFUSED
          reject   | turned_away      | 421 | was turned away at RCPT
          """)
  void anIncidentSaysWhatHappenedToTheMail(
      String verdict, String outcome, String reply, String sentence) throws IOException {
    String incident =
        """
        {"subject":"203.0.113.7","verdict":"%s","stage":"rcpt","mode":"observe","generation":4,\
        "listings":[],"allow":null,"undo":null,"incident":"7K3Q9ZT2AB",\
        "happened":{"outcome":"%s","reply":"%s x"}}\
        """
            .formatted(verdict, outcome, reply);
    assertEquals(
        "203.0.113.7 " + sentence + "   mode observe, generation 4",
        refused("explain 7K3Q9ZT2AB", incident).out().lines().findFirst().orElse(""));
  }

  /** The verdict of then stays, and with it the exit code; the effect of the entry is shown. */
  @Test
  void anIncidentThatIsAllowedByNowSaysBoth() throws IOException {
    String incident =
        """
        {"subject":"203.0.113.7","verdict":"reject","stage":"rcpt","mode":"observe","generation":4,\
        "listings":[],"allow":null,"undo":null,"incident":"7K3Q9ZT2AB",\
        "happened":{"outcome":"would_refuse","reply":"250 x"},"now_verdict":"accept",\
        "now":{"verdict":"accept","stage":"rcpt","mode":"observe","listings":[],\
        "allow":{"entry":"203.0.113.7","reason":"ticket 12","author":"root","id":"a1"}}}\
        """;
    Shell.Result result = refused("explain 7K3Q9ZT2AB", incident).exits(1);
    List<String> lines = result.out().lines().toList();
    assertEquals(
        "203.0.113.7 would have been REFUSED at RCPT, was let through; the same mail now would"
            + " pass, by your allow entry 203.0.113.7   mode observe, generation 4",
        lines.getFirst());
    assertEquals(
        "  now      would pass, allow entry 203.0.113.7  \"ticket 12\"  by root", lines.get(1));
    result.printsNo("allow    none");
  }

  @Test
  void anIncidentThatWouldBeRefusedAgainSaysSoOnce() throws IOException {
    String incident =
        """
        {"subject":"203.0.113.7","verdict":"reject","stage":"rcpt","mode":"enforce","generation":4,\
        "listings":[],"allow":null,"undo":null,"incident":"7K3Q9ZT2AB",\
        "happened":{"outcome":"refused","reply":"554 x"},"now_verdict":"reject",\
        "now":{"verdict":"reject","stage":"rcpt","mode":"observe","listings":[],"allow":null}}\
        """;
    List<String> lines = refused("explain 7K3Q9ZT2AB", incident).out().lines().toList();
    assertEquals("203.0.113.7 was REFUSED at RCPT   mode enforce, generation 4", lines.getFirst());
    assertEquals(
        "  now      would be REFUSED at RCPT (mode observe: logged only), no allow entry",
        lines.get(1));
  }
}
