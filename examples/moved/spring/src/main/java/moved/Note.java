package moved;

import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.Size;
import java.util.List;

public record Note(int id, String title, String text, List<String> tags, String author) {
  public record Form(
      @NotEmpty @Size(max = 40) String title,
      @Size(max = 1000) String text,
      @Size(max = 3) List<@NotEmpty String> tags) {
    public Form {
      if (text == null) text = "";
      if (tags == null) tags = List.of();
    }
  }

  static Note of(int id, Form form, String author) {
    return new Note(id, form.title(), form.text(), form.tags(), author);
  }
}
