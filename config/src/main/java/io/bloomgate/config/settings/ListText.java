package io.bloomgate.config.settings;

import io.bloomgate.config.settings.YamlNode.Place;
import io.bloomgate.config.settings.YamlNode.Scalar;
import io.bloomgate.config.settings.YamlNode.Sequence;
import java.util.ArrayList;
import java.util.List;

/** Lists in environment variables: {@code a,b} or YAML's {@code [a, b]}. Pure. */
final class ListText {

  private ListText() {}

  /** The elements, without places. */
  static List<YamlNode> items(String text) {
    if (text.strip().startsWith("[")) {
      try {
        if (YamlReader.read(text).orElse(null) instanceof Sequence(List<YamlNode> items, Place p)) {
          return items.stream().map(ListText::withoutPlace).toList();
        }
      } catch (YamlReader.YamlException e) {
        return List.of(new Scalar(text, false, Place.NONE));
      }
    }
    List<YamlNode> items = new ArrayList<>();
    for (String item : text.split(",", -1)) {
      if (!item.isBlank()) {
        items.add(new Scalar(item.strip(), false, Place.NONE));
      }
    }
    return items;
  }

  private static YamlNode withoutPlace(YamlNode item) {
    return item instanceof Scalar s ? new Scalar(s.text(), s.plain(), Place.NONE) : item;
  }
}
