package io.bloomgate.config.json;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.internal.LazilyParsedNumber;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Values of ours as the tree of the JSON library, and back; for {@link JsonRecords}. Pure. */
final class GsonTree {

  private GsonTree() {}

  static JsonElement of(JsonValue value) {
    return switch (value) {
      case JsonValue.JsonObject(Map<String, JsonValue> members) -> {
        JsonObject object = new JsonObject();
        members.forEach((name, member) -> object.add(name, of(member)));
        yield object;
      }
      case JsonValue.JsonArray(List<JsonValue> elements) -> {
        JsonArray array = new JsonArray(elements.size());
        elements.forEach(each -> array.add(of(each)));
        yield array;
      }
      case JsonValue.JsonString(String text) -> new JsonPrimitive(text);
      case JsonValue.JsonNumber(String literal) ->
          new JsonPrimitive(new LazilyParsedNumber(literal));
      case JsonValue.JsonBoolean(boolean flag) -> new JsonPrimitive(flag);
      case JsonValue.JsonNull() -> JsonNull.INSTANCE;
    };
  }

  static JsonValue value(JsonElement element) {
    if (element instanceof JsonObject object) {
      Map<String, JsonValue> members = LinkedHashMap.newLinkedHashMap(object.size());
      object.entrySet().forEach(member -> members.put(member.getKey(), value(member.getValue())));
      return new JsonValue.JsonObject(members);
    }
    if (element instanceof JsonArray array) {
      return new JsonValue.JsonArray(array.asList().stream().map(GsonTree::value).toList());
    }
    if (!(element instanceof JsonPrimitive primitive)) {
      return JsonValue.NULL;
    }
    if (primitive.isBoolean()) {
      return JsonValue.of(primitive.getAsBoolean());
    }
    return primitive.isNumber()
        ? new JsonValue.JsonNumber(primitive.getAsString())
        : JsonValue.of(primitive.getAsString());
  }
}
