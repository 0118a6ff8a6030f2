package bench;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
public class Application {
  record User(int id, String name) {}

  record Found(int id, String email) {}

  record NewUser(@NotBlank String name, @NotNull @Email String email) {}

  record Profile(int id, @NotNull String name, @NotNull String email) {}

  record Item(@NotBlank String product, @Min(1) int quantity) {}

  record Order(@NotBlank String customer, @NotNull List<@Valid Item> items) {}

  record Ordered(String customer, int items) {}

  @GetMapping("/users/search")
  Found search(@RequestParam String email) {
    return new Found(1, email);
  }

  @GetMapping("/users/{id}")
  User get(@PathVariable int id) {
    return new User(id, "Ada");
  }

  @GetMapping("/profiles/{id}")
  @Valid
  Profile profile(@PathVariable int id) {
    return new Profile(id, "Ada", "ada@example.com");
  }

  @PostMapping("/users")
  @ResponseStatus(HttpStatus.CREATED)
  NewUser create(@Valid @RequestBody NewUser user) {
    return user;
  }

  @PostMapping("/orders")
  @ResponseStatus(HttpStatus.CREATED)
  Ordered order(@Valid @RequestBody Order order) {
    return new Ordered(order.customer(), order.items().size());
  }

  @EventListener
  void listening(WebServerInitializedEvent event) {
    System.out.println("http://127.0.0.1:" + event.getWebServer().getPort());
  }

  public static void main(String[] args) {
    SpringApplication.run(Application.class, args);
  }
}
