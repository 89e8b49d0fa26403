package io.bloomgate.gateway.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.gateway.relay.ContentBudget;
import io.bloomgate.gateway.smtp.ArgumentException;
import io.bloomgate.gateway.smtp.RcptCommand;
import org.junit.jupiter.api.Test;

/** What recipients count in the budget of content. */
final class AcceptedRecipientsTest {

  private static long takenBy(String localPart) throws ArgumentException {
    ContentBudget budget = new ContentBudget(1024 * 1024);
    AcceptedRecipients recipients = new AcceptedRecipients(budget);
    recipients.add(RcptCommand.parse("TO:<" + localPart + "@example.com>", true));
    return budget.takenOctets();
  }

  /** One letter beyond Latin-1 makes each character of a text two octets in memory. */
  @Test
  void anInternationalRecipientCountsTheOctetsThatItTakes() throws ArgumentException {
    String local = "a".repeat(200);
    int more = local.length() + (local + "@example.com").length();
    assertEquals(takenBy(local) + more, takenBy("\u0436" + local.substring(1)));
    assertEquals(takenBy(local), takenBy("\u00e4" + local.substring(1)));
  }
}
