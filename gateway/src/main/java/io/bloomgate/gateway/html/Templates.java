package io.bloomgate.gateway.html;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The templates of {@code src/main/jte}, which the build has made into classes. A template escapes
 * each value for its place: text, attribute or address. Pure.
 */
public final class Templates {

  /** The package of those classes. */
  private static final String PACKAGE = "io.bloomgate.gateway.page";

  private final TemplateEngine engine =
      TemplateEngine.createPrecompiled(
          null, ContentType.Html, Templates.class.getClassLoader(), PACKAGE);

  /** A template with its values. */
  public record Filled(String template, Map<String, ? extends @Nullable Object> values) {}

  /** The text of a filled template. */
  public String html(Filled page) {
    StringOutput out = new StringOutput(16_384);
    engine.render(page.template() + ".jte", new HashMap<>(page.values()), out);
    return out.toString();
  }
}
