package io.bloomgate.blocklists.content;

import static io.bloomgate.blocklists.content.Mails.mail;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Lines that mail clients join without the space at their ends (RFC 3676). */
final class FlowingTest {

  private static final String TYPE = "text/plain; format=flowed; delsp=yes";

  @Test
  void findsUrlsBehindSoftBreaks() {
    String body = "see http://bad.exam \nple.com/lo \n ng and \n> http://quoted.e \n>xample.com/\n";
    List<String> keys = Mails.keys(mail(TYPE, "7bit", body));
    assertTrue(keys.contains("url OPEN bad.example.com/long"), keys::toString);
    assertTrue(keys.contains("url_host OPEN quoted.example.com"), keys::toString);
    keys = Mails.keys(mail("text/plain; Format=\"Flowed\"; DelSp=YES", "7bit", body));
    assertTrue(keys.contains("url OPEN bad.example.com/long"), keys::toString);
    for (String type : List.of("text/plain; format=flowed", "text/plain; delsp=yes")) {
      keys = Mails.keys(mail(type, "7bit", body));
      assertFalse(keys.contains("url OPEN bad.example.com/long"), keys::toString);
    }
  }
}
