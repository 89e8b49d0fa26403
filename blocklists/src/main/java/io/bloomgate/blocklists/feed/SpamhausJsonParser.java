package io.bloomgate.blocklists.feed;

import io.bloomgate.blocklists.key.IpPrefix;
import io.bloomgate.blocklists.key.Parsed;
import io.bloomgate.config.json.JsonValue.JsonNumber;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * The format {@code spamhaus-json}: a JSON object a line with member {@code cidr}, and a last one
 * of type {@code metadata} that says how many records there are. A file with another number was cut
 * or glued together and is not trusted.
 */
final class SpamhausJsonParser implements FeedParser {

  @Override
  public void parse(InputStream text, ParseRun run) throws IOException {
    JsonLines.read(text, run, (object, line, number) -> object(run, object, line, number));
  }

  private static void object(ParseRun run, JsonObject object, String text, int number) {
    Optional<String> cidr = object.text("cidr");
    if (cidr.isPresent()) {
      switch (IpPrefix.parse(cidr.get())) {
        case Parsed.Bad<IpPrefix>(String reason) -> run.problem(number, reason, text);
        case Parsed.Ok<IpPrefix> ok -> run.network(ok, false, number);
      }
    } else if (object.text("type").filter("metadata"::equals).isPresent()) {
      run.skip();
      checkRecords(run, object);
    } else {
      run.problem(number, "no member \"cidr\"", text);
    }
  }

  private static void checkRecords(ParseRun run, JsonObject metadata) {
    if (metadata.get("records").orElse(null) instanceof JsonNumber(String literal)
        && !literal.equals(Long.toString(run.entries() + run.invalid()))) {
      run.damage(
          "the list says it has "
              + Octets.escape(literal)
              + " records, "
              + (run.entries() + run.invalid())
              + " were read");
    }
  }
}
